/**
 * `node bench/x402.ts [--seconds 5] [--markdown] [--only Keystead]`: our facilitator beside the reference's, on one chain, with
 * payments of the same kind: verify and settle at 1 and 16 payers, blocks at once and every 2 s. Needs the clients of
 * test/clients and a build. See README.md.
 */
import { parseArgs } from 'node:util'
import { startPaymentChain, type PaymentChain } from '../test/support/x402/payment-chain.ts'
import { body2, pay, PRICE, SELLER } from '../test/support/x402/payments.ts'
import { describeMachine } from './machine.ts'
import { measure } from './measure.ts'
import { processorMs, type MsByPart } from './processor-time.ts'
import { rowLine, textTable } from './report.ts'
import { rowOf, type Row } from './rows.ts'
import { figureOf, percentile } from './statistics.ts'
import { facilitators, type Facilitator } from './x402-facilitators.ts'
import { writeX402Json, writeX402Markdown } from './x402-report.ts'

const PAYERS = [1, 16] as const
type Payers = (typeof PAYERS)[number]
/** Payments of one run; each run is done three times. */
const RUNS = 3
const BLOCKS: readonly { name: string; flags: string[]; settles: Record<Payers, number> }[] = [
  { name: 'blocks at once', flags: [], settles: { 1: 20, 16: 160 } },
  { name: 'blocks every 2 s', flags: ['--block-time', '2'], settles: { 1: 4, 16: 64 } },
]
/** More different ones than any facilitator remembers. */
const VERIFIED = 1024

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    markdown: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
if (!(seconds >= 1)) throw new Error('--seconds must be 1 or more')
if (values.only !== undefined && values.markdown) throw new Error('the table compares: --markdown goes without --only')

const startedAtMs = performance.now()
const machine = describeMachine()
const rows: Row[] = []
for (const blocks of BLOCKS) {
  const chain = await startPaymentChain(blocks.flags)
  try {
    await beside(chain, blocks)
  } finally {
    await chain.stop()
  }
}
const tookSeconds = Math.round((performance.now() - startedAtMs) / 1000)
const command = ['node bench/x402.ts', ...process.argv.slice(2)].join(' ')
const results = { date: new Date().toISOString(), command, seconds, tookSeconds, machine, rows }
console.log(textTable(rows))
console.log(`${tookSeconds} s; ${writeX402Json(results)}`)
if (values.markdown) console.log(writeX402Markdown(results))

async function beside(chain: PaymentChain, { name, flags, settles }: (typeof BLOCKS)[number]): Promise<void> {
  const buyers: Buyer[] = []
  for (let i = 0; i < Math.max(...PAYERS); i++) buyers.push(await chain.buyer(10_000_000_000n))
  for (const start of facilitators) {
    const facilitator = await start(chain)
    try {
      if (values.only !== undefined && facilitator.name !== values.only) continue
      for (const payers of PAYERS) {
        const make = (count: number) => payments(chain, buyers.slice(0, payers), count)
        if (flags.length === 0) show(await verifyRow(name, facilitator, payers, await make(VERIFIED)))
        show(await settleRow(name, facilitator, payers, chain, () => make(settles[payers])))
      }
    } finally {
      await facilitator.stop()
    }
  }
}

function show(row: Row): void {
  rows.push(row)
  console.log(rowLine(row))
}

type Buyer = Awaited<ReturnType<PaymentChain['buyer']>>

/** By each payer in turn. */
function payments(chain: PaymentChain, buyers: readonly Buyer[], count: number): Promise<string[]> {
  const made = Array.from({ length: count }, async (_, i) => {
    const buyer = buyers[i % buyers.length] as Buyer
    const now = Math.floor(Date.now() / 1000)
    const window = { validAfter: '0', validBefore: String(now + 3_600) }
    return JSON.stringify(body2(chain, await pay(chain, buyer, window)))
  })
  return Promise.all(made)
}

async function verifyRow(section: string, at: Facilitator, payers: Payers, bodies: string[]): Promise<Row> {
  let i = 0
  let before: MsByPart = {}
  let after: MsByPart = {}
  const measured = await measure(
    { clients: payers, seconds },
    async () => {
      const body = bodies[i++ % bodies.length] as string
      return ((await post(`${at.url}/verify`, body)) as { isValid: boolean }).isValid
    },
    { begin: () => (before = processorMs(at.parts)), end: () => (after = processorMs(at.parts)) },
  )
  const perCall = spent(before, after, measured.calls)
  return rowOf(`x402: ${section}`, `${at.name}: verify`, measured, { processorMs: perCall })
}

async function settleRow(
  section: string,
  at: Facilitator,
  payers: Payers,
  chain: PaymentChain,
  make: () => Promise<string[]>,
): Promise<Row> {
  const before = processorMs(at.parts)
  const paidBefore = await chain.balance(SELLER)
  const perSecond: number[] = []
  const p50Ms: number[] = []
  const all: number[] = []
  let failures = 0
  for (let run = 0; run < RUNS; run++) {
    const { tookMs, failed, ms } = await settleAll(`${at.url}/settle`, await make(), payers)
    failures += failed
    all.push(...tookMs)
    perSecond.push(((tookMs.length - failed) / ms) * 1000)
    p50Ms.push(percentile(tookMs, 0.5))
  }
  const calls = all.length
  const moved = ((await chain.balance(SELLER)) - paidBefore) / PRICE
  const accepted = 1 - failures / calls
  const measured = { clients: payers, perSecond: figureOf(perSecond), p50Ms: figureOf(p50Ms), calls, failures }
  const note = `${calls - failures} of ${calls} accepted; ${moved} transfers`
  const more = { processorMs: spent(before, processorMs(at.parts), calls), accepted, note }
  return rowOf(`x402: ${section}`, `${at.name}: settle`, { ...measured, p99Ms: percentile(all, 0.99) }, more)
}

/** Closed loops, as many as payers, until there is no payment left. */
async function settleAll(url: string, bodies: readonly string[], payers: number) {
  const tookMs: number[] = []
  let failed = 0
  let i = 0
  const startMs = performance.now()
  const client = async () => {
    for (let body = bodies[i++]; body !== undefined; body = bodies[i++]) {
      const sentMs = performance.now()
      if (!((await post(url, body)) as { success: boolean }).success) failed += 1
      tookMs.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: payers }, client))
  return { tookMs, failed, ms: performance.now() - startMs }
}

function spent(before: MsByPart, after: MsByPart, calls: number): MsByPart {
  const parts = Object.entries(after).map(([part, ms]) => [part, (ms - (before[part] ?? 0)) / calls])
  return Object.fromEntries(parts)
}

async function post(url: string, body: string): Promise<unknown> {
  return (await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })).json()
}
