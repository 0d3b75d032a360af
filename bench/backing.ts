/**
 * `node bench/backing.ts [--seconds 5] [--markdown]`: the same load on the embedded backing and on MongoDB and Redis, in
 * one run.
 */
import { parseArgs } from 'node:util'
import { startBacking } from '../test/support/distributed.ts'
import { mongodbKind, mongodbMissing } from '../test/support/mongodb-server.ts'
import { redisMissing } from '../test/support/redis-server.ts'
import { loadService } from './load.ts'
import { describeMachine } from './machine.ts'
import { startOwnService } from './own-service.ts'
import { writePartMarkdown } from './part-report.ts'
import { rowLine, textTable } from './report.ts'
import type { Row } from './rows.ts'
import { cleanUp, endLater, newFolder } from './worker.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, markdown: { type: 'boolean', default: false } },
})
const machine = describeMachine()
const seconds = Number(values.seconds)
if (!(seconds >= 1)) throw new Error('--seconds must be 1 or more')

const rows: Row[] = []
function show(row: Row): void {
  rows.push(row)
  console.log(rowLine(row))
}

async function load(section: string, environment: Record<string, string>): Promise<void> {
  const folder = newFolder()
  const { service, stop } = await startOwnService(folder.path, environment)
  await loadService(service, seconds, show, section)
  await stop()
  folder.remove()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp())
try {
  const reason = mongodbMissing() ?? redisMissing()
  if (reason !== undefined) throw new Error(reason)
  console.log(machine)
  await load('embedded: SQLite, queue in memory', {})
  const backing = await startBacking()
  const dispose = endLater(() => backing.dispose())
  await load(`shared: ${mongodbKind}, Redis`, backing.environment)
  await dispose()
  console.log(textTable(rows))
  if (values.markdown) {
    const notes = [
      `- ${seconds} s for each row in three parts: median of the parts, lowest and highest part. Load generator, service`,
      '  and databases share the cores. A stand-in for MongoDB answers far slower than MongoDB.',
    ]
    console.log(writePartMarkdown('backing', { title: 'the two backings', machine, notes, rows }))
  }
} finally {
  await cleanUp()
}
