/** The facilitators that are measured side by side, each in processes of its own, on one chain. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { ApiClient } from '../cli/api-client.ts'
import { devRelayer } from '../cli/dev-relayer.ts'
import { startService } from '../test/support/service.ts'
import type { PaymentChain } from '../test/support/x402/payment-chain.ts'
import { partsOfService, type Parts } from './processor-time.ts'

const RELAYER_WEI = parseEther('1000')
/** The limits of the specification are for strangers. */
const WIDE = '1000000'

export interface Facilitator {
  name: string
  url: string
  /** Its processes. */
  parts: Parts
  stop: () => Promise<void>
}

export const OURS = 'Keystead'
export const REFERENCE = 'reference'
export const MANAGED_REFERENCE = 'reference, nonce manager'

/** In the order in which they are measured. */
export const facilitators: readonly ((chain: PaymentChain) => Promise<Facilitator>)[] = [
  startOurs,
  (chain) => startReference(chain, REFERENCE, []),
  (chain) => startReference(chain, MANAGED_REFERENCE, ['nonce-manager']),
]

async function startOurs(chain: PaymentChain): Promise<Facilitator> {
  const limits = ['VERIFY_PER_IP', 'SETTLE_PER_IP', 'SETTLE_PER_PAYER', 'SETTLE_PER_FACILITATOR']
  const service = await startService({
    environment: {
      ...Object.fromEntries(limits.map((name) => [`KEYSTEAD_X402_${name}`, WIDE])),
      KEYSTEAD_LOG_LEVEL: 'silent',
      KEYSTEAD_RPC_URL: chain.rpcUrl,
      KEYSTEAD_CHAIN_FINALITY_DEPTH: '0',
      KEYSTEAD_CHAIN_POLL_MS: '100',
      KEYSTEAD_X402_ASSET: chain.token,
      KEYSTEAD_X402_ASSET_NAME: chain.domain.name,
      KEYSTEAD_X402_ASSET_VERSION: chain.domain.version,
      KEYSTEAD_X402_POLICY_ENABLED: 'true',
      KEYSTEAD_X402_GAS_PER_DAY: String(RELAYER_WEI),
      KEYSTEAD_X402_GAS_PER_30_DAYS: String(RELAYER_WEI),
    },
  })
  const { baseUrl, operator } = service.dev
  const relayer = await devRelayer(new ApiClient(baseUrl, operator), 'x402-relayer')
  await chain.client.setBalance({ address: relayer, value: RELAYER_WEI })
  const parts = partsOfService(service.process.pid as number)
  return { name: OURS, url: `${baseUrl}/x402/v1`, parts, stop: () => service.dispose() }
}

async function startReference(chain: PaymentChain, name: string, flags: string[]): Promise<Facilitator> {
  const key = generatePrivateKey()
  await chain.client.setBalance({ address: privateKeyToAddress(key), value: RELAYER_WEI })
  const script = join(import.meta.dirname, '../test/clients/x402-reference.ts')
  const child = spawn(process.execPath, [script, chain.rpcUrl, key, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  return { name, url, parts: { server: [child.pid as number] }, stop: () => ended(child) }
}

function ended(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill()
  return over
}
