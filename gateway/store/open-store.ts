import { join } from 'node:path'
import { allSpecs } from '../documents.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

/** The store that the settings ask for. */
export function openStore({ dataDir }: { dataDir: string }): Store {
  return openSqliteStore({ file: join(dataDir, 'store.sqlite'), collections: allSpecs })
}
