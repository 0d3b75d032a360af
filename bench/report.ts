/** The figures as a table for people and as JSON for whoever compares. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { readingOf } from './reading.ts'
import type { Row } from './rows.ts'
import type { Figure } from './statistics.ts'

export interface Results {
  date: string
  command: string
  seconds: number
  tookSeconds: number
  machine: Machine
  /** Hosts and sandbox, as the service announced them. */
  signer: string
  rows: Row[]
}

const HEADINGS = ['what', 'clients', 'per second', 'lowest-highest', 'p50 ms', 'p99 ms', 'CPU ms per call'] as const

export function writeJson(results: Results): string {
  const folder = join(import.meta.dirname, 'out')
  const path = join(folder, 'results.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`)
  return path
}

/** Aligned columns for a terminal; sections as lines of their own. */
export function textTable(rows: Row[]): string {
  const cells = rows.map(cellsOf)
  const widths = HEADINGS.map((heading, i) =>
    Math.max(heading.length, ...cells.map((row) => (row[i] as string).length)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join('  ')
  const lines = ['', line(HEADINGS)]
  rows.forEach((row, i) => {
    if (row.section !== rows[i - 1]?.section) lines.push('', `${row.section}:`)
    lines.push(line(cells[i] as string[]) + (isNoteworthy(row) ? `  ${row.note}` : ''))
  })
  return `${lines.join('\n')}\n`
}

/** Progress: one row as soon as it is there. */
export function rowLine(row: Row): string {
  const [what = '', clients = '', perSecond = '', , p50 = '', p99 = ''] = cellsOf(row)
  const rate = perSecond === '' ? '' : `, ${perSecond}/s`
  const of = clients === '' ? '' : `, ${clients} clients`
  return `${row.section}: ${what}${of}${rate}, p50 ${p50} ms${p99 === '' ? '' : `, p99 ${p99} ms`}`
}

export function writeMarkdown(results: Results): string {
  const path = join(import.meta.dirname, 'RESULTS.md')
  const lines = [
    '# Results',
    '',
    'Written by `npm run bench -- --markdown`; what each row means is in [README.md](README.md).',
    '',
    ...machineLines(results),
    `- Signer: ${results.signer}`,
    `- ${results.seconds} s for each row in three parts: median of the parts, lowest and highest part. Load generator,`,
    '  service and database share the cores.',
    '',
    ...markdownTable(results.rows),
    '',
    '## Reading',
    '',
    ...readingOf(results),
    '',
  ]
  writeFileSync(path, lines.join('\n'))
  return path
}

/** Where, when and of what the figures are. */
export function machineLines({ machine, date, command }: Pick<Results, 'machine' | 'date' | 'command'>): string[] {
  return [
    `- Machine: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.kernel}, Node ` +
      `${machine.node}, file system ${machine.fileSystem}, load average before ${machine.loadBefore.toFixed(2)}`,
    `- Date: ${date}; command: \`${command}\`; commit: ${machine.commit}`,
  ]
}

/** One more column where something can be refused that should not be. */
export function markdownTable(rows: Row[]): string[] {
  const withAccepted = rows.some(({ accepted }) => accepted !== undefined)
  const headings = [...HEADINGS, ...(withAccepted ? ['accepted'] : [])]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [line(headings), `|---|${'---:|'.repeat(headings.length - 1)}`]
  rows.forEach((row, i) => {
    if (row.section !== rows[i - 1]?.section)
      table.push(line([`**${row.section}**`, ...headings.slice(1).map(() => '')]))
    const accepted = row.accepted === undefined ? '' : `${digits(100 * row.accepted)} %`
    table.push(line([...cellsOf(row), ...(withAccepted ? [accepted] : [])]))
  })
  return table
}

function cellsOf({ name, clients, perSecond, p50Ms, p99Ms, processorMs = {} }: Row): string[] {
  const range = perSecond ?? p50Ms
  const times = Object.entries(processorMs).map(([part, ms]) => `${part} ${digits(ms)}`)
  return [
    name,
    clients === undefined ? '' : String(clients),
    perSecond === undefined ? '' : digits(perSecond.median),
    rangeOf(range),
    digits(p50Ms.median),
    p99Ms === undefined ? '' : digits(p99Ms),
    times.join(', '),
  ]
}

function rangeOf({ low, high }: Figure): string {
  return low === high ? '' : `${digits(low)}-${digits(high)}`
}

/** Three figures that mean something. */
export function digits(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Notes of every row are in the JSON; on the table only what went wrong. */
function isNoteworthy({ failures = 0, note = '' }: Row): boolean {
  return failures > 0 || note.includes('while measured')
}
