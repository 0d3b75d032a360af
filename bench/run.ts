/** `npm run bench`: the running service, its parts and the ceilings beside them, in one run. See README.md. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, buildSeconds } from './build-time.ts'
import { cases, type ComponentCase, type ComponentJob } from './component-cases.ts'
import { casesOf, contestants, engineCases } from './engine-cases.ts'
import type { RoundTripJob } from './host-round-trip.ts'
import { CLIENTS, loadCeilings, loadService } from './load.ts'
import { describeMachine } from './machine.ts'
import type { Measured } from './measure.ts'
import { startOwnService } from './own-service.ts'
import { rowLine, textTable, writeJson, writeMarkdown } from './report.ts'
import { durationRow, rowOf, type Row } from './rows.ts'
import { startTimes } from './start-time.ts'
import type { StoreAnswer } from './store.ts'
import { cleanUp, inWorker, newFolder } from './worker.ts'

const SECONDS_MAX = 60
/** There are many engine rows, and what they measure waits for nothing. */
const ENGINE_SECONDS_MAX = 1.5
/** The reference engine takes seconds for a wallet and for 100 KiB. */
const SLOW_CASE_SECONDS = 9
/** JSON of a call to sign, with an organization of one user. */
const CALL_BYTES = 2_000

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    markdown: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const sections = ['start', 'service', 'component', 'engines', 'store'] as const
type Section = (typeof sections)[number]
const wanted = options.only?.split(',') ?? [...sections]
const unknown = wanted.filter((each) => !sections.some((section) => section === each))
if (unknown.length > 0) throw new Error(`--only takes ${sections.join(', ')}`)
if (options.only !== undefined && options.markdown)
  throw new Error('RESULTS.md shows everything: --markdown goes without --only')
const isWanted = (section: Section) => wanted.includes(section)
const seconds = Number(options.seconds)
if (!(seconds >= 1 && seconds <= SECONDS_MAX)) throw new Error(`--seconds must be 1 to ${SECONDS_MAX}`)

const rows: Row[] = []
function show(row: Row): void {
  rows.push(row)
  console.log(rowLine(row))
}

/** 128 and the number of SIGINT, as shells have it. */
const EXIT_INTERRUPTED = 130
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true
    void cleanUp().finally(() => process.exit(EXIT_INTERRUPTED))
  })
}
try {
  await bench()
} catch (error) {
  // An interrupt ends what is being measured, and that is no news.
  if (!interrupted) throw error
} finally {
  await cleanUp()
}

async function bench(): Promise<void> {
  const startedAtMs = performance.now()
  const machine = describeMachine()
  await build()
  if (isWanted('start')) await benchStart()
  const signer = isWanted('service') ? await benchService() : 'not started'
  if (isWanted('component')) await benchComponent()
  if (isWanted('engines')) await benchEngines()
  if (isWanted('store')) await benchStore()
  if (options.build) show(durationRow('build', 'component from scratch', (await buildSeconds()) * 1000))
  const tookSeconds = Math.round((performance.now() - startedAtMs) / 1000)
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')
  const results = { date: new Date().toISOString(), command, seconds, tookSeconds, machine, signer, rows }
  console.log(textTable(rows))
  console.log(`${tookSeconds} s; ${writeJson(results)}`)
  if (options.markdown) console.log(writeMarkdown(results))
}

async function benchStart(): Promise<void> {
  const { empty, used } = await startTimes()
  show(durationRow('start', 'to the first signature, empty data directory', empty))
  show(durationRow('start', 'to the first signature, used data directory', used))
}

/** @returns the signer as it was announced. */
async function benchService(): Promise<string> {
  const folder = newFolder()
  const { service, stop } = await startOwnService(folder.path)
  await loadService(service, seconds, show)
  for (const clients of CLIENTS) {
    const job: RoundTripJob = {
      socketPath: join(folder.path, 'signer.sock'),
      plan: { clients, seconds },
      callBytes: CALL_BYTES,
    }
    show(rowOf('host', 'refused call over the socket', await inWorker<Measured>('host-round-trip.ts', job)))
  }
  await loadCeilings(service, seconds, show)
  const announced = /signer +(\d.*)/.exec(service.output())?.[1] ?? 'unknown'
  await stop()
  folder.remove()
  return announced
}

async function benchComponent(): Promise<void> {
  for (const [what, name] of Object.entries(cases) as [ComponentCase, string][]) {
    const job: ComponentJob = { what, seconds }
    show(rowOf('component', name, await inWorker<Measured>('component.ts', job)))
  }
}

async function benchEngines(): Promise<void> {
  for (const contestant of contestants) {
    if (contestant === 'fast' && !existsSync(join(import.meta.dirname, '../signer-core/dist/fast'))) {
      console.log('the fast engine has not been built: npm run build:engine')
      continue
    }
    for (const what of casesOf(contestant)) {
      const slow = contestant === 'reference' && (what === 'wallet' || what.endsWith('-100k'))
      const job = { contestant, what, seconds: slow ? SLOW_CASE_SECONDS : Math.min(seconds, ENGINE_SECONDS_MAX) }
      show(rowOf(`engine: ${contestant}`, engineCases[what], await inWorker<Measured>('engine.ts', job)))
    }
  }
}

async function benchStore(): Promise<void> {
  for (const [what, clients] of [['plain', 1], ...CLIENTS.map((each) => ['port', each] as const)] as const) {
    const folder = newFolder()
    const job = { what, folder: folder.path, plan: { clients, seconds } }
    const answer = await inWorker<StoreAnswer>('store.ts', job)
    const name = what === 'plain' ? 'insert, plain SQLite' : 'insert, store port'
    show(rowOf('store', name, answer, { note: `${answer.writesPerCommit.toFixed(1)} writes per commit` }))
    folder.remove()
  }
}
