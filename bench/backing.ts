/** `node bench/backing.ts`: the same load on the embedded backing and on MongoDB and Redis, in one run. */
import { parseArgs } from 'node:util'
import { startBacking } from '../test/support/distributed.ts'
import { mongodbKind, mongodbMissing } from '../test/support/mongodb-server.ts'
import { redisMissing } from '../test/support/redis-server.ts'
import { loadService } from './load.ts'
import { describeMachine } from './machine.ts'
import { startOwnService } from './own-service.ts'
import { rowLine, textTable } from './report.ts'
import type { Row } from './rows.ts'
import { cleanUp, endLater, newFolder } from './worker.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
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
  console.log(describeMachine())
  await load('embedded: SQLite, queue in memory', {})
  const backing = await startBacking()
  const dispose = endLater(() => backing.dispose())
  await load(`shared: ${mongodbKind}, Redis`, backing.environment)
  await dispose()
  console.log(textTable(rows))
} finally {
  await cleanUp()
}
