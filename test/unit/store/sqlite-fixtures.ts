/** A collection and temporary folders for the tests of the SQLite adapter. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { CollectionSpec, StoredDocument } from '../../../gateway/store/store.ts'

export interface Entry extends StoredDocument {
  serial: number
  text: string
}

export const entries: CollectionSpec<Entry> = { name: 'entries', unique: [['serial']], indexes: [['text', 'serial']] }

export function entry(serial: number, text = 'text'): Entry {
  return { _id: `entry-${serial}`, v: 1, serial, text }
}

/** A path for a database in a folder of its own, removed after the test. */
export function temporaryDatabase(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-sqlite-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return join(folder, 'data', 'store.db')
}
