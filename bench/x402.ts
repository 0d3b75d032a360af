/**
 * `node bench/x402.ts [--seconds 5]`: our facilitator beside the reference's, on one chain, with the same payments; verify and
 * settle at 1 and 16 payers, blocks at once and every 2 s. Prints rows; needs the clients of test/clients and a build.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { ApiClient } from '../cli/api-client.ts'
import { devRelayer } from '../cli/dev-relayer.ts'
import { startService } from '../test/support/service.ts'
import { startPaymentChain, type PaymentChain } from '../test/support/x402/payment-chain.ts'
import { body2, pay, PRICE, SELLER } from '../test/support/x402/payments.ts'
import { textTable } from './report.ts'
import type { Row } from './rows.ts'
import { figureOf, percentile } from './statistics.ts'

const PAYERS = [1, 16] as const
const SETTLES: Record<(typeof PAYERS)[number], number> = { 1: 20, 16: 160 }
const RELAYER_WEI = parseEther('1000')

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const seconds = Number(values.seconds)
const rows: Row[] = []

for (const [blocks, flags] of [
  ['blocks at once', []],
  ['blocks every 2 s', ['--block-time', '2']],
] as const) {
  const chain = await startPaymentChain(flags)
  try {
    await beside(chain, blocks)
  } finally {
    await chain.stop()
  }
}
console.log(textTable(rows))

async function beside(chain: PaymentChain, blocks: string): Promise<void> {
  const buyers: Buyer[] = []
  for (let i = 0; i < Math.max(...PAYERS); i++) buyers.push(await chain.buyer(1_000_000_000n))
  const maker = (payers: number, count: number) => payments(chain, buyers.slice(0, payers), count)
  for (const start of [startOurs, startReference, startManagedReference]) {
    const contestant = await start(chain)
    const { name, url } = contestant
    try {
      for (const payers of PAYERS) {
        if (blocks === 'blocks at once') rows.push(await verifies(maker, `${name}: verify`, url, payers))
        rows.push(await settles(chain, maker, `${name}: settle, ${blocks}`, url, payers))
        console.log(JSON.stringify(rows.at(-1)))
      }
    } finally {
      await contestant.stop()
    }
  }
}

interface Contestant {
  name: string
  url: string
  stop: () => Promise<void>
}

async function startOurs(chain: PaymentChain): Promise<Contestant> {
  const wide = ['VERIFY_PER_IP', 'SETTLE_PER_IP', 'SETTLE_PER_PAYER', 'SETTLE_PER_FACILITATOR', 'GAS_PER_DAY'].map(
    (name) => [`KEYSTEAD_X402_${name}`, name === 'GAS_PER_DAY' ? String(RELAYER_WEI) : '1000000'],
  )
  const service = await startService({
    environment: {
      ...Object.fromEntries(wide),
      KEYSTEAD_LOG_LEVEL: 'silent',
      KEYSTEAD_RPC_URL: chain.rpcUrl,
      KEYSTEAD_CHAIN_FINALITY_DEPTH: '0',
      KEYSTEAD_CHAIN_POLL_MS: '100',
      KEYSTEAD_X402_ASSET: chain.token,
      KEYSTEAD_X402_ASSET_NAME: chain.domain.name,
      KEYSTEAD_X402_ASSET_VERSION: chain.domain.version,
      KEYSTEAD_X402_POLICY_ENABLED: 'true',
      KEYSTEAD_X402_GAS_PER_30_DAYS: String(RELAYER_WEI),
    },
  })
  const { baseUrl, operator } = service.dev
  const relayer = await devRelayer(new ApiClient(baseUrl, operator), 'x402-relayer')
  await chain.client.setBalance({ address: relayer, value: RELAYER_WEI })
  return { name: 'Keystead', url: `${baseUrl}/x402/v1`, stop: () => service.dispose() }
}

function startReference(chain: PaymentChain): Promise<Contestant> {
  return referenceAt(chain, [])
}

function startManagedReference(chain: PaymentChain): Promise<Contestant> {
  return referenceAt(chain, ['nonce-manager'])
}

async function referenceAt(chain: PaymentChain, managed: string[]): Promise<Contestant> {
  const key = generatePrivateKey()
  await chain.client.setBalance({ address: privateKeyToAddress(key), value: RELAYER_WEI })
  const script = join(import.meta.dirname, '../test/clients/x402-reference.ts')
  const child = spawn(process.execPath, [script, chain.rpcUrl, key, ...managed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  const name = managed.length === 0 ? 'reference' : 'reference, nonce manager'
  return { name, url, stop: () => ended(child) }
}

function ended(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill()
  return over
}

type Buyer = Awaited<ReturnType<PaymentChain['buyer']>>
type Maker = (payers: number, count: number) => Promise<string[]>

/** By each payer in turn. */
function payments(chain: PaymentChain, buyers: readonly Buyer[], count: number): Promise<string[]> {
  const made = Array.from({ length: count }, async (_, i) => {
    const buyer = buyers[i % buyers.length] as Buyer
    return JSON.stringify(body2(chain, await pay(chain, buyer, { validAfter: '0' })))
  })
  return Promise.all(made)
}

async function verifies(make: Maker, name: string, url: string, payers: number): Promise<Row> {
  const bodies = await make(payers, payers * 4)
  const endMs = performance.now() + seconds * 1000
  return loop(
    name,
    payers,
    (i) => (performance.now() < endMs ? bodies[i % bodies.length] : undefined),
    async (body) => {
      const answer = (await post(`${url}/verify`, body)) as { isValid: boolean }
      return answer.isValid
    },
  )
}

async function settles(chain: PaymentChain, make: Maker, name: string, url: string, payers: 1 | 16): Promise<Row> {
  const bodies = await make(payers, SETTLES[payers])
  const before = await chain.balance(SELLER)
  const row = await loop(
    name,
    payers,
    (i) => bodies[i],
    async (body) => {
      const answer = (await post(`${url}/settle`, body)) as { success: boolean }
      return answer.success
    },
  )
  const accepted = (row.calls ?? 0) - (row.failures ?? 0)
  const moved = (await chain.balance(SELLER)) - before
  return { ...row, note: `${accepted} of ${row.calls} accepted; ${moved / PRICE} transfers` }
}

/** Closed loops, as many as payers. @param next The i-th body, undefined at the end. */
async function loop(
  name: string,
  clients: number,
  next: (i: number) => string | undefined,
  call: (body: string) => Promise<boolean>,
): Promise<Row> {
  const tookMs: number[] = []
  let failures = 0
  let i = 0
  const startMs = performance.now()
  const client = async () => {
    for (let body = next(i++); body !== undefined; body = next(i++)) {
      const sentMs = performance.now()
      if (!(await call(body))) failures += 1
      tookMs.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = ((tookMs.length - failures) / (performance.now() - startMs)) * 1000
  const p99Ms = percentile(tookMs, 0.99)
  const section = 'x402'
  return {
    section,
    name,
    clients,
    perSecond: figureOf([perSecond]),
    p50Ms: figureOf([percentile(tookMs, 0.5)]),
    p99Ms,
    calls: tookMs.length,
    failures,
  }
}

async function post(url: string, body: string): Promise<unknown> {
  return (await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })).json()
}
