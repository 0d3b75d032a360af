/** `npm run contracts`: the contract suites of store, queue and rate limiter, and a table of every adapter's rules. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { KNOWN_TO_FAIL } from './store.ts'

const rootPath = join(import.meta.dirname, '../..')
const ports = { store: 'store', queue: 'queue', 'rate-limiter': 'rate limiter' } as const
type Port = keyof typeof ports

interface Result {
  port: Port
  adapter: string
  rule: string
  outcome: 'passes' | 'FAILS' | 'known to fail' | 'skipped'
}

/** `ok 7 - store › sqlite: rule`, `not ok ...`, and `# SKIP` of what was not run. */
const LINE = /^(not )?ok \d+ - (?:contracts › )?([a-z-]+) › (.*?)(?: # (SKIP).*)?$/

function resultOf(line: string): Result | undefined {
  const [, failed, port = '', title = '', directive] = LINE.exec(line) ?? []
  const at = title.indexOf(': ')
  if (!(port in ports) || at < 0) return undefined
  // Contract tests are called by their adapter; others in the same files have no colon.
  const rule = title.slice(at + 2).replace(KNOWN_TO_FAIL, '')
  const known = title.endsWith(KNOWN_TO_FAIL) ? 'known to fail' : 'passes'
  const outcome = directive === 'SKIP' ? 'skipped' : failed ? 'FAILS' : known
  return { port: port as Port, adapter: title.slice(0, at), rule, outcome }
}

function tableOf(port: Port, results: Result[]): string[] {
  const own = results.filter((each) => each.port === port)
  const adapters = [...new Set(own.map(({ adapter }) => adapter))]
  const rules = [...new Set(own.map(({ rule }) => rule))].toSorted()
  const ruleWidth = Math.max(...rules.map((rule) => rule.length), ports[port].length)
  const widths = adapters.map((adapter) => Math.max(adapter.length, 'known to fail'.length))
  const row = (first: string, cells: string[]) =>
    [first.padEnd(ruleWidth), ...cells.map((cell, i) => cell.padEnd(widths[i] as number))].join('  ').trimEnd()
  const outcomeOf = (rule: string, adapter: string) =>
    own.find((each) => each.rule === rule && each.adapter === adapter)?.outcome ?? '-'
  const counts = adapters.map((adapter) => {
    const passed = own.filter((each) => each.adapter === adapter && each.outcome === 'passes').length
    return `${passed} of ${rules.length}`
  })
  return [
    row(ports[port].toUpperCase(), adapters),
    ...rules.map((rule) =>
      row(
        rule,
        adapters.map((adapter) => outcomeOf(rule, adapter)),
      ),
    ),
    row('', counts),
    '',
  ]
}

const files = Object.keys(ports).map((port) => `test/contracts/${port}.test.ts`)
const ava = spawn(join(rootPath, 'node_modules/.bin/ava'), ['--tap', ...files], {
  cwd: rootPath,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exitCode = new Promise<number>((resolve) => ava.once('close', (code) => resolve(code ?? 1)))
const output = await text(ava.stdout)
const results = output
  .split('\n')
  .map(resultOf)
  .filter((each) => each !== undefined)
for (const port of Object.keys(ports) as Port[]) for (const line of tableOf(port, results)) console.log(line)
const failed = results.filter(({ outcome }) => outcome === 'FAILS')
if (failed.length > 0) console.log(output)
process.exitCode = await exitCode
