import { join } from 'node:path'
import { allSpecs } from '../documents.ts'
import { plugins } from '../plugins.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

/** The store that the settings ask for. */
export function openStore({ dataDir }: { dataDir: string }): Store {
  const collections = [...allSpecs, ...plugins.flatMap((plugin) => plugin.collections)]
  return openSqliteStore({ file: join(dataDir, 'store.sqlite'), collections })
}
