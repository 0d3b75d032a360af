import { join } from 'node:path'
import { allSpecs } from '../documents.ts'
import { openMongodbStore } from './mongodb/open-mongodb-store.ts'
import { plugins } from '../plugins.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreChoice {
  dataDir: string
  mongodbUrl?: string | undefined
}

/** The store that the settings ask for. */
export function openStore({ dataDir, mongodbUrl }: StoreChoice): Store {
  const collections = [...allSpecs, ...plugins.flatMap((plugin) => plugin.collections)]
  if (mongodbUrl !== undefined) return openMongodbStore({ url: mongodbUrl, collections })
  return openSqliteStore({ file: join(dataDir, 'store.sqlite'), collections })
}
