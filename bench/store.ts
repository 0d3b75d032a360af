/** Durable inserts: through the store port, and the same bytes into plain SQLite, one transaction each. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { activitiesSpec, allSpecs } from '../gateway/documents.ts'
import { openSqliteStore } from '../gateway/store/sqlite/open-sqlite-store.ts'
import { newActivity } from './activities.ts'
import { measure, type Measured, type Plan } from './measure.ts'
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

answerJob(store)
