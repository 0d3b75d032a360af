/** Durable inserts: through the store port, and the same bytes into plain SQLite, one transaction each. */
import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { activitiesSpec, allSpecs, type ActivityDocument } from '../gateway/documents.ts'
import { openSqliteStore } from '../gateway/store/sqlite/open-sqlite-store.ts'
import { measure, type Measured, type Plan } from './measure.ts'
import { signing } from './requests.ts'
import { answerJob } from './worker.ts'

export interface StoreJob {
  what: 'port' | 'plain'
  folder: string
  plan: Plan
}

export interface StoreAnswer extends Measured {
  /** How many writes shared a commit. */
  writesPerCommit: number
}

async function store({ what, folder, plan }: StoreJob): Promise<StoreAnswer> {
  const file = join(folder, 'store.sqlite')
  return what === 'port' ? throughThePort(file, plan) : plainly(file, plan)
}

async function throughThePort(file: string, plan: Plan): Promise<StoreAnswer> {
  const opened = openSqliteStore({ file, collections: allSpecs })
  const activities = opened.collection(activitiesSpec)
  const measured = await measure(plan, async () => {
    await activities.insert(newActivity())
    return true
  })
  const { commits, writes } = opened.counts
  await opened.close()
  return { ...measured, writesPerCommit: writes / commits }
}

/** The same pragmas as gateway/store/sqlite/database-file.ts, a primary key and no further index. */
async function plainly(file: string, plan: Plan): Promise<StoreAnswer> {
  const database = new DatabaseSync(file)
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table documents (id text not null primary key, doc text not null) strict')
  const insert = database.prepare('insert into documents (id, doc) values (?, ?)')
  const measured = await measure(plan, async () => {
    const document = newActivity()
    return insert.run(document._id, JSON.stringify(document)).changes === 1
  })
  database.close()
  return { ...measured, writesPerCommit: 1 }
}

const organizationId = randomUUID()

/** As long as a real one that has been accepted. */
function newActivity(): ActivityDocument {
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
  const body = JSON.stringify({
    type,
    timestampMs: '1700000000000',
    parameters: signing(organizationId),
    organizationId,
  })
  const digest = createHash('sha256').update(body).digest('hex')
  const signature = `3044${digest.repeat(2)}${'0'.repeat(8)}`
  return {
    _id: randomUUIDv7(),
    v: 0,
    organizationId,
    userId: organizationId,
    idempotencyKey: digest,
    fingerprint: `sha256:${digest}`,
    type,
    phase: 'accepted',
    body,
    stamp: { publicKey: `02${digest}`, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature },
    createdAtMs: 1_700_000_000_000,
    updatedAtMs: 1_700_000_000_000,
  }
}

answerJob(store)
