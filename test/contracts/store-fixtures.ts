/** Collections and documents of the store contract. */
import type { ExecutionContext } from 'ava'
import type { Collection, CollectionSpec, Store, StoredDocument } from '../../gateway/store/store.ts'

export interface Job extends StoredDocument {
  organizationId: string
  idempotencyKey: string
  slot: number
  state: string
  dueAtMs: number
  owner?: string
  content?: unknown
}

export const jobs: CollectionSpec<Job> = {
  name: 'jobs',
  unique: [['organizationId', 'idempotencyKey'], ['slot']],
  indexes: [
    ['state', 'dueAtMs'],
    ['organizationId', 'state', 'dueAtMs'],
    ['owner', '_id'],
  ],
}

/** A second collection, named like a word of SQL. */
export const orders: CollectionSpec<StoredDocument> = { name: 'order', unique: [], indexes: [] }

let made = 0

/** A document that collides with no other. */
export function job(members: Partial<Job> = {}): Job {
  made += 1
  const serial = String(made).padStart(6, '0')
  return {
    _id: `job-${serial}`,
    v: 1,
    organizationId: 'org-1',
    idempotencyKey: `key-${serial}`,
    slot: made,
    state: 'due',
    dueAtMs: 1000,
    ...members,
  }
}

/** Declares one rule of the contract; its body is given an empty store. */
export type Rule = (title: string, body: RuleBody) => void

export type RuleBody = (t: ExecutionContext, jobs: Collection<Job>, store: Store) => Promise<void>
