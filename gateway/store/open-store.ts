import { join } from 'node:path'
import { allSpecs } from '../documents.ts'
import { plugins } from '../plugins.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreChoice {
  dataDir: string
  mongodbUrl?: string | undefined
}

/** The store that the settings ask for. What the other one needs is not loaded: a start costs time. */
export async function openStore({ dataDir, mongodbUrl }: StoreChoice): Promise<Store> {
  const collections = [...allSpecs, ...plugins.flatMap((plugin) => plugin.collections)]
  if (mongodbUrl !== undefined) {
    const { openMongodbStore } = await import('./mongodb/open-mongodb-store.ts')
    return openMongodbStore({ url: mongodbUrl, collections })
  }
  return openSqliteStore({ file: join(dataDir, 'store.sqlite'), collections })
}
