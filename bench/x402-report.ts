/** The facilitators' table: the same columns as the other results, and what part of the payments was settled. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digits, machineLines, markdownTable, type Results } from './report.ts'
import { rowNamed } from './rows.ts'
import { MANAGED_REFERENCE, OURS, REFERENCE } from './x402-facilitators.ts'

export type X402Results = Omit<Results, 'signer'>

export function writeX402Json(results: X402Results): string {
  const folder = join(import.meta.dirname, 'out')
  const path = join(folder, 'x402.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`)
  return path
}

export function writeX402Markdown(results: X402Results): string {
  const path = join(import.meta.dirname, 'RESULTS-x402.md')
  const lines = [
    '# Results: payments',
    '',
    'Written by `node bench/x402.ts --markdown`; what each row means is in [README.md](README.md).',
    '',
    ...machineLines(results),
    `- Verify: ${results.seconds} s in three parts; settle: three runs. Median of the three, lowest and highest. Load`,
    '  generator, chain, facilitator and database share the cores; the processor time is that of the facilitator alone.',
    '',
    ...markdownTable(results.rows),
    '',
    '## Reading',
    '',
    ...reading(results),
    '',
  ]
  writeFileSync(path, lines.join('\n'))
  return path
}

function reading({ rows }: X402Results): string[] {
  const row = (section: string, name: string, payers: number) => rowNamed(rows, `x402: ${section}`, name, payers)
  const rate = (section: string, name: string, payers: number) =>
    row(section, name, payers).perSecond?.median ?? Number.NaN
  const AT_ONCE = 'blocks at once'
  const times = (what: string, payers: number, other: string) =>
    digits(rate(AT_ONCE, `${OURS}: ${what}`, payers) / rate(AT_ONCE, `${other}: ${what}`, payers))
  const share = (section: string, name: string) => digits(100 * (row(section, `${name}: settle`, 16).accepted ?? 0))
  return [
    `- Verify with 16 payers: ${times('verify', 16, REFERENCE)} times the reference's rate.`,
    `- Settle, blocks at once, one payer: ${times('settle', 1, REFERENCE)} times the reference's rate. Each of ours is stored ` +
      'before each of its steps, and signed by another process after a policy was asked; the reference keeps nothing.',
    `- Settled of what 16 payers hand in, blocks at once and every 2 s: ${share(AT_ONCE, OURS)} % and ` +
      `${share('blocks every 2 s', OURS)} %; the reference as in its samples ${share(AT_ONCE, REFERENCE)} % and ` +
      `${share('blocks every 2 s', REFERENCE)} %, with a nonce manager ${share(AT_ONCE, MANAGED_REFERENCE)} % and ` +
      `${share('blocks every 2 s', MANAGED_REFERENCE)} %.`,
  ]
}
