/**
 * `node bench/relay.ts [--count 96] [--markdown]`: sponsored transactions through one relayer key and through four, blocks
 * every second, beside the same transactions signed in advance and handed to the node by one and by four keys. Prints
 * rows; needs a build.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import canonicalize from 'canonicalize'
import { keccak256, parseEther, type Hex, type PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { DEV_CHAIN_ID } from '../cli/anvil.ts'
import { readContract } from '../cli/contracts.ts'
import { ApiClient } from '../cli/api-client.ts'
import { devRelayer } from '../cli/dev-relayer.ts'
import {
  dataOf,
  GAS_LIMIT,
  signBatch,
  startDelegationChain,
  transfer,
  type DelegationChain,
} from '../test/support/relay/delegation.ts'
import { stampOf } from '../test/support/relay/relaying-service.ts'
import { submissionOf } from '../test/support/relay/submissions.ts'
import { startService, type DevJson } from '../test/support/service.ts'
import { describeMachine } from './machine.ts'
import { writePartMarkdown } from './part-report.ts'
import { textTable } from './report.ts'
import type { Row } from './rows.ts'
import { figureOf, percentile } from './statistics.ts'

const section = 'relay'
const KEYS = [1, 4] as const
/** What geth keeps of an account for certain, and as many as this chain takes. */
const IN_FLIGHT = [16, 256] as const
const RELAYER_WEI = parseEther('1000')
const PAYEE = '0x00000000000000000000000000000000000000bb'
const GWEI = 1_000_000_000n
const POLL_MS = 20

const { values } = parseArgs({
  options: { count: { type: 'string', default: '96' }, markdown: { type: 'boolean', default: false } },
})
const count = Number(values.count)
const machine = describeMachine()
const rows: Row[] = []

const chain = await startDelegationChain(['--block-time', '1'])
try {
  for (const keys of KEYS) rows.push(await raw(keys))
  for (const inFlight of IN_FLIGHT) for (const keys of KEYS) rows.push(...(await relayed(keys, inFlight)))
} finally {
  await chain.stop()
}
console.log(textTable(rows))
if (values.markdown) {
  console.log(
    writePartMarkdown('relay', {
      title: 'the gas relay',
      machine,
      notes: [
        `- ${count} transactions, all asked for at once, blocks every second; p50 and p99 of the answer to a submission.`,
        '  Presigned: the same transactions, signed in advance and handed to the node; p50 of its answers.',
      ],
      rows,
    }),
  )
}

/** Of an account of its own, as one account has one transaction under way. It moves nothing: no tokens are needed. */
async function sponsored(): Promise<{ account: PrivateKeyAccount; batch: Awaited<ReturnType<typeof signBatch>> }> {
  const account = privateKeyToAccount(generatePrivateKey())
  return { account, batch: await signBatch(account, [transfer(chain.token, PAYEE, 0n)]) }
}

/** The node's own pace: signed in advance, each key's in order, keys at once. */
async function raw(keys: number): Promise<Row> {
  const signed = await Promise.all(Array.from({ length: keys }, () => rawOf(Math.floor(count / keys))))
  const tookMs: number[] = []
  const startMs = performance.now()
  const sent = signed.map(async (transactions) => {
    const hashes: Hex[] = []
    for (const serializedTransaction of transactions) {
      const sentMs = performance.now()
      hashes.push(await chain.client.sendRawTransaction({ serializedTransaction }))
      tookMs.push(performance.now() - sentMs)
    }
    return hashes
  })
  const hashes = (await Promise.all(sent)).flat()
  await Promise.all(hashes.map((hash) => chain.client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS })))
  const perSecond = (hashes.length / (performance.now() - startMs)) * 1_000
  const name = `presigned, ${keysText(keys)}`
  return {
    section,
    name,
    perSecond: figureOf([perSecond]),
    p50Ms: figureOf([percentile(tookMs, 0.5)]),
    calls: hashes.length,
  }
}

async function rawOf(each: number): Promise<Hex[]> {
  const relayer = privateKeyToAccount(generatePrivateKey())
  await chain.client.setBalance({ address: relayer.address, value: RELAYER_WEI })
  const fees = { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: GWEI }
  return Promise.all(
    Array.from({ length: each }, async (_, nonce) => {
      const { account, batch } = await sponsored()
      const data = chain.guarded(account.address, dataOf(batch))
      const authorizationList = [await chain.authorize(account)]
      const call = { to: chain.guard, data, nonce, chainId: DEV_CHAIN_ID, gas: GAS_LIMIT, ...fees }
      return relayer.signTransaction({ ...call, type: 'eip7702', authorizationList })
    }),
  )
}

async function relayed(keys: number, inFlight: number): Promise<Row[]> {
  const names = Array.from({ length: keys }, (_, i) => `bench-relayer-${i}`)
  const codeHash = keccak256(readContract('BatchDelegate').runtimeBytecode)
  const service = await startService({
    environment: {
      KEYSTEAD_LOG_LEVEL: 'silent',
      KEYSTEAD_RPC_URL: chain.rpcUrl,
      KEYSTEAD_CHAIN_FINALITY_DEPTH: '0',
      KEYSTEAD_CHAIN_POLL_MS: '100',
      KEYSTEAD_CHAIN_IN_FLIGHT_MAX: String(inFlight),
      KEYSTEAD_GAS_RELAY_RELAYER_KEYS: names.join(','),
      KEYSTEAD_GAS_RELAY_DELEGATES: `batch-delegate=${chain.delegate}=${codeHash}`,
      KEYSTEAD_GAS_RELAY_GUARD: chain.guard,
    },
  })
  try {
    const { baseUrl, operator } = service.dev
    for (const name of names) {
      const address = await devRelayer(new ApiClient(baseUrl, operator), name)
      await chain.client.setBalance({ address, value: RELAYER_WEI })
    }
    return await measured(service.dev, `relayed, ${keysText(keys)}, ${inFlight} in flight`)
  } finally {
    await service.dispose()
  }
}

interface Answered {
  id: string
  status: string
  txHash: string
}

/** All at once; waits until the last one is confirmed. */
async function measured(dev: DevJson, name: string): Promise<Row[]> {
  const deposit = {
    organizationId: dev.organizationId,
    timestampMs: '1',
    amount: String(RELAYER_WEI),
    reference: 'all',
  }
  await post(dev, '/admin/relay/deposit', deposit, dev.operator)
  const bodies = await Promise.all(Array.from({ length: count }, () => bodyOf(dev, chain)))
  const acceptMs: number[] = []
  const broadcastMs: number[] = []
  let failures = 0
  const startMs = performance.now()
  const one = async (body: object) => {
    const sentMs = performance.now()
    let now = await post(dev, '/public/v1/relay/submit_transaction', body)
    const acceptedMs = performance.now()
    acceptMs.push(acceptedMs - sentMs)
    let seenMs = now.txHash === '' ? undefined : acceptedMs
    while (now.status === 'pending' || now.status === 'broadcasted') {
      await sleep(POLL_MS)
      now = await post(dev, '/public/v1/relay/get_transaction', { organizationId: dev.organizationId, id: now.id })
      if (now.txHash !== '') seenMs ??= performance.now()
    }
    broadcastMs.push((seenMs ?? performance.now()) - acceptedMs)
    if (now.status !== 'confirmed') failures += 1
  }
  await Promise.all(bodies.map(one))
  const perSecond = ((count - failures) / (performance.now() - startMs)) * 1_000
  const run = { section, clients: count, calls: count, failures }
  return [
    { ...run, name, perSecond: figureOf([perSecond]), ...halfAndLast(acceptMs) },
    { ...run, name: `${name}: accepted to broadcast`, ...halfAndLast(broadcastMs) },
  ]
}

function halfAndLast(ms: readonly number[]): Pick<Row, 'p50Ms' | 'p99Ms'> {
  return { p50Ms: figureOf([percentile(ms, 0.5)]), p99Ms: percentile(ms, 0.99) }
}

async function bodyOf({ organizationId }: DevJson, { authorize }: DelegationChain): Promise<object> {
  const { account, batch } = await sponsored()
  const parameters = submissionOf(account.address, batch, await authorize(account))
  return { organizationId, timestampMs: '1', parameters }
}

async function post(
  dev: DevJson,
  path: string,
  body: object,
  as: Pick<DevJson, 'organizationId' | 'apiPublicKey' | 'apiPrivateKey'> = dev,
): Promise<Answered> {
  const text = canonicalize(body) as string
  const headers = { 'X-Stamp': stampOf(as, text) }
  const answer = await fetch(`${dev.baseUrl}${path}`, { method: 'POST', body: text, headers })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answered
}

function keysText(keys: number): string {
  return keys === 1 ? 'one key' : `${keys} keys`
}
