/** What the figures say, computed from them, so that a new run never stands beside the reading of an old one. */
import { CEILING, FULL_CEILING, SERVICE } from './load.ts'
import { digits, type Results } from './report.ts'
import { rowNamed, type Row } from './rows.ts'

const START_TARGET_MS = 3_000
/** An activity is stored before it is performed, its receipt after, and the activity again with its outcome. */
const WRITES_PER_ACTIVITY = 3
const QUIET_LOAD = 0.3
/** Less than this part of what the processors could do means that they were not ours alone. */
const CONTENDED = 0.85
/** No disk flushes faster unless something in between promises to keep what it has not written yet. */
const FAST_FLUSH_MS = 0.5

export function readingOf({ rows, machine }: Results): string[] {
  const rate = (section: string, name: string, clients: number) =>
    rowNamed(rows, section, name, clients).perSecond?.median ?? Number.NaN
  const signing = rowNamed(rows, SERVICE, 'sign_raw_payload', 16)
  const signed = signing.perSecond?.median ?? Number.NaN
  const { hosts = Number.NaN, ...others } = signing.processorMs ?? {}
  const otherMs = Object.values(others).reduce((sum, ms) => sum + ms, 0)
  const bound = (machine.cores * 1000) / (hosts + otherMs)
  const lines = [
    `- **The ceiling is processor time.** With 16 clients one signature takes ${digits(hosts)} ms of it in ` +
      `the hosts and ${digits(otherMs)} ms everywhere else, the load generator included; ${machine.cores} cores can ` +
      `then do ${digits(bound)} per second, and ${digits(signed)} (${digits((100 * signed) / bound)} %) were done. ` +
      `${signed < CONTENDED * bound ? 'Other work on this machine, or waiting, took the rest. ' : ''}More clients only wait longer: the rate at 64 is ${digits(rate(SERVICE, 'sign_raw_payload', 64))}.`,
    `- **Nothing else is near its limit.** The store takes ${digits(rate('store', 'insert, store port', 16))} durable ` +
      `inserts per second from 16 writers, a signature needs ${WRITES_PER_ACTIVITY} writes; Koa with the stamp check ` +
      `answers ${digits(rate(CEILING, 'Koa with stamp check', 16))} requests per second, ` +
      `${digits(rate(CEILING, 'Koa with stamp check', 16) / signed)} times as many as are signed. A repeated body, ` +
      `which is not signed again, is answered ${digits(rate(SERVICE, 'identical body again', 16))} times per second.`,
    ...fifthLine(rate(SERVICE, 'sign_raw_payload', 64), rate(CEILING, FULL_CEILING, 64)),
    `- **One signature alone** (1 client): ${partsOfOne(rows)}.`,
    ...startLine(rows),
    ...diskLine(rows),
  ]
  const failed = rows.filter((row) => (row.failures ?? 0) > 0)
  if (failed.length > 0) lines.push(`- **Calls failed** in ${failed.length} rows; see \`bench/out/results.json\`.`)
  if (machine.loadBefore > QUIET_LOAD) {
    lines.push(
      `- The machine was not idle before (load average ${digits(machine.loadBefore)}): read rates as lower bounds.`,
    )
  }
  return lines
}

/** The rest is what no row shows alone: parsing, reads, JSON, and processes that wake up cold at this low rate. */
function partsOfOne(rows: Row[]): string {
  const p50 = (section: string, name: string) => rowNamed(rows, section, name, 1).p50Ms.median
  const whole = p50(SERVICE, 'sign_raw_payload')
  const component = p50('component', 'sign secp256k1')
  const withoutCurve = p50('component', 'refused when the key is opened')
  const http = p50(CEILING, 'Koa with stamp check')
  const transport = p50('host', 'refused call over the socket')
  const writes = WRITES_PER_ACTIVITY * p50('store', 'insert, store port')
  const rest = whole - component - http - transport - writes
  return (
    `${digits(whole)} ms, of which the component takes ${digits(component)} (${digits(component - withoutCurve)} of ` +
    `it for the curve: sign, and verify what was signed), HTTP with the stamp check ${digits(http)}, socket and ` +
    `launcher ${digits(transport)}, ${WRITES_PER_ACTIVITY} durable writes ${digits(writes)}; the rest, ` +
    `${digits(rest)}, is parsing, reads and processes that wake up cold`
  )
}

/** A signature needs three such writes, and a signer: a fifth of one request with one write is what we aim at. */
function fifthLine(signed: number, ceiling: number): string[] {
  const verdict = signed >= ceiling / 5 ? 'as aimed at' : '**not the fifth aimed at**'
  return [
    `- Signatures at 64 clients are 1/${digits(ceiling / signed)} of what Koa does with stamp check and one durable ` +
      `insert (${digits(ceiling)} per second), ${verdict}.`,
  ]
}

function startLine(rows: Row[]): string[] {
  const { high } = rowNamed(rows, 'start', 'to the first signature, empty data directory').p50Ms
  const verdict = high <= START_TARGET_MS ? 'within' : '**above**'
  return [`- Start to first signature: ${digits(high)} ms at worst, ${verdict} the target of ${START_TARGET_MS} ms.`]
}

function diskLine(rows: Row[]): string[] {
  const { median } = rowNamed(rows, 'store', 'insert, plain SQLite', 1).p50Ms
  if (median >= FAST_FLUSH_MS) return []
  return [
    `- The disk confirms a durable insert in ${digits(median)} ms, as virtual disks and those with a protected cache ` +
      `do. On a slower one add ${WRITES_PER_ACTIVITY} flushes to the latency of each signature.`,
  ]
}
