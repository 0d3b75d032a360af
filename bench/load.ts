/** Everything over HTTP: the service, and beside it what Koa can do alone with the same requests. */
import { randomUUID } from 'node:crypto'
import { Client } from '../test/support/client.ts'
import type { Service } from '../test/support/service.ts'
import type { CeilingAnswer } from './ceilings.ts'
import type { LoadAnswer, LoadJob } from './load-worker.ts'
import { partsOfService } from './processor-time.ts'
import type { Recipe } from './requests.ts'
import { rowOf, type Row } from './rows.ts'
import { inWorker, newFolder, startWorker } from './worker.ts'

export const CLIENTS = [1, 16, 64] as const
const MANY = 16
export const SERVICE = 'service over HTTP'
export const CEILING = 'ceilings over HTTP'
export const FULL_CEILING = 'Koa, stamp check, durable insert'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
/** Processes that have done little are slow: their code is not compiled yet, and each row would have others to blame. */
const WARM_UP_SECONDS = 3
/** The checked body must not always be the same, and need not be a new one. */
const CEILING_BODIES = 64

type Show = (row: Row) => void
type Target = Pick<LoadJob, 'baseUrl' | 'credentials' | 'parts' | 'expected'>

/** @param section Of the report: which service it was. */
export async function loadService(service: Service, seconds: number, show: Show, section = SERVICE): Promise<void> {
  const { baseUrl, ...credentials } = service.dev
  const parts = partsOfService(service.process.pid as number)
  const target = { baseUrl, credentials, parts, expected: COMPLETED }
  const { privateKeyId } = await new Client(baseUrl, credentials).createKey('CURVE_SECP256K1')
  const measureOne = async (name: string, recipe: Recipe, clients: number, expected = COMPLETED) =>
    show(await loadRow(section, name, { ...target, expected }, recipe, clients, seconds))

  for (const recipe of [
    { kind: 'whoami', distinct: 1 },
    { kind: 'sign', privateKeyId },
  ] as const) {
    await loadRow(section, 'warm-up', target, recipe, MANY, WARM_UP_SECONDS)
  }
  for (const clients of CLIENTS) await measureOne('sign_raw_payload', { kind: 'sign', privateKeyId }, clients)
  await measureOne('create_private_keys', { kind: 'create' }, MANY)
  await measureOne('identical body again', { kind: 'sign', privateKeyId, distinct: MANY }, MANY)
  await measureOne('whoami', { kind: 'whoami', distinct: 1 }, MANY, 'organizationName')
}

export async function loadCeilings({ dev }: Service, seconds: number, show: Show): Promise<void> {
  const recipe: Recipe = { kind: 'sign', privateKeyId: randomUUID(), distinct: CEILING_BODIES }
  const folder = newFolder()
  for (const [name, job] of [
    [FULL_CEILING, { stampCheck: true, folder: folder.path }],
    ['Koa with stamp check', { stampCheck: true }],
    ['Koa alone', { stampCheck: false }],
  ] as const) {
    const { pid, answer, stop } = await startWorker<CeilingAnswer>('ceilings.ts', job)
    const target = { baseUrl: answer.baseUrl, credentials: dev, parts: { server: [pid] }, expected: COMPLETED }
    for (const clients of CLIENTS) show(await loadRow(CEILING, name, target, recipe, clients, seconds))
    await stop()
  }
  folder.remove()
}

async function loadRow(
  section: string,
  name: string,
  target: Target,
  recipe: Recipe,
  clients: number,
  seconds: number,
): Promise<Row> {
  const job: LoadJob = { ...target, recipe, plan: { clients, seconds } }
  const answer = await inWorker<LoadAnswer>('load-worker.ts', job)
  const { failures, firstFailure, late, bodyBytes, processorMs } = answer
  const notes = [`body ${bodyBytes} B`]
  if (late > 0) notes.push(`${late} stamped while measured`)
  if (failures > 0) notes.push(`${failures} FAILED: ${firstFailure}`)
  return rowOf(section, name, answer, { processorMs, note: notes.join('; ') })
}
