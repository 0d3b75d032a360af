import { join } from 'node:path'
import { allSpecs } from '../documents.ts'
import { openMongodbStore } from './mongodb/open-mongodb-store.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreChoice {
  dataDir: string
  mongodbUrl?: string | undefined
}

/** The store that the settings ask for. */
export function openStore({ dataDir, mongodbUrl }: StoreChoice): Store {
  if (mongodbUrl !== undefined) return openMongodbStore({ url: mongodbUrl, collections: allSpecs })
  return openSqliteStore({ file: join(dataDir, 'store.sqlite'), collections: allSpecs })
}
