/** The table of a measurement that is made apart from the others, beside theirs. */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Machine } from './machine.ts'
import { machineLines, markdownTable } from './report.ts'
import type { Row } from './rows.ts'

export interface Part {
  title: string
  /** As it was before the first row. */
  machine: Machine
  /** Lines of Markdown: how it was measured. */
  notes: readonly string[]
  rows: Row[]
}

/** @param name Of the file: `RESULTS-<name>.md`. @returns its path. */
export function writePartMarkdown(name: string, { title, machine, notes, rows }: Part): string {
  const path = join(import.meta.dirname, `RESULTS-${name}.md`)
  const script = `node bench/${basename(process.argv[1] ?? '')}`
  const command = [script, ...process.argv.slice(2)].join(' ')
  const lines = [
    `# Results: ${title}`,
    '',
    `Written by \`${script} --markdown\`; what each row means is in [README.md](README.md).`,
    '',
    ...machineLines({ machine, date: new Date().toISOString(), command }),
    ...notes,
    '',
    ...markdownTable(rows),
    '',
  ]
  writeFileSync(path, lines.join('\n'))
  return path
}
