/** The whole service with its own chain, and clients of the relay: stamps over canonical JSON, as the specification says. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { setTimeout as sleep } from 'node:timers/promises'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import type { Address, PrivateKeyAccount } from 'viem'
import { mined } from '../../../cli/mined.ts'
import { newTimestampMs } from '../client.ts'
import { clientOf } from '../local-chain.ts'
import { startService, type Service } from '../service.ts'
import { encodeCall } from './delegation.ts'

export interface Answer<T = Record<string, unknown>> {
  status: number
  json: T
}

export interface Transaction {
  id: string
  status: string
  txHash: `0x${string}`
  cost: string | null
  gasUsed: string | null
  effectiveGasPrice: string | null
  blockHash: string | null
  reorgCount: number
  failure: { code: string } | null
}

export interface Balance {
  deposited: string
  debited: string
  reserved: string
  balance: string
}

interface Credentials {
  organizationId: string
  apiPublicKey: string
  apiPrivateKey: string
}

const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

export function stampOf({ apiPublicKey, apiPrivateKey }: Credentials, text: string): string {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
  const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
  const key = createPrivateKey({ key: { ...point, d }, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(text), key).toString('hex')
  const stamp = { publicKey: apiPublicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  return Buffer.from(JSON.stringify(stamp)).toString('base64url')
}

export type RelayingService = Awaited<ReturnType<typeof startRelayingService>>

export async function startRelayingService(environment: Record<string, string> = {}) {
  const service: Service = await startService({ environment: { KEYSTEAD_LOCAL_CHAIN: 'on', ...environment } })
  const { dev } = service
  const client = clientOf(dev.chain.rpcUrl)
  const { asset: token } = dev.x402
  const [owner] = (await client.getAddresses()) as [Address]

  async function send<T>(path: string, body: string, stamp: string): Promise<Answer<T>> {
    const answer = await fetch(`${dev.baseUrl}${path}`, { method: 'POST', body, headers: { 'X-Stamp': stamp } })
    return { status: answer.status, json: (await answer.json()) as T }
  }

  /** As a client of the organization; the body is written as it comes and stamped in its canonical form. */
  function post<T = Record<string, unknown>>(
    route: string,
    members: object,
    as: Credentials = dev,
  ): Promise<Answer<T>> {
    const body = { organizationId: as.organizationId, ...members }
    return send(`/public/v1/relay/${route}`, JSON.stringify(body), stampOf(as, canonicalize(body) as string))
  }

  function deposit(members: object, as: Credentials = dev.operator): Promise<Answer> {
    const body = { organizationId: dev.organizationId, timestampMs: '1', ...members }
    return send('/admin/relay/deposit', JSON.stringify(body), stampOf(as, canonicalize(body) as string))
  }

  async function submit(parameters: object, timestampMs = newTimestampMs()): Promise<Answer<Transaction>> {
    return post('submit_transaction', { timestampMs, parameters })
  }

  const cancel = (id: string): Promise<Answer> =>
    post('cancel_transaction', { type: 'ACTIVITY_TYPE_RELAY_CANCEL_TRANSACTION', timestampMs: '1', id })

  /** Polls as a client does, until the status is one of these. */
  async function until(id: string, statuses: readonly string[]): Promise<Transaction> {
    for (;;) {
      const { json } = await post<Transaction>('get_transaction', { id })
      if (statuses.includes(json.status)) return json
      await sleep(50)
    }
  }

  return {
    ...dev,
    client,
    token,
    send,
    post,
    deposit,
    submit,
    cancel,
    until,
    balance: async () => (await post<Balance>('get_balance', {})).json,
    tokens: (of: Address) =>
      client
        .call({ to: token, data: encodeCall('TestToken', 'balanceOf', [of]) })
        .then(({ data }) => BigInt(data ?? 0)),
    async newAccount(units = 1_000n): Promise<PrivateKeyAccount> {
      const account = privateKeyToAccount(generatePrivateKey())
      const data = encodeCall('TestToken', 'mint', [account.address, units])
      await mined(client, () => client.sendTransaction({ to: token, data, account: owner, chain: null }))
      return account
    },
    service,
    dispose: () => service.dispose(),
  }
}
