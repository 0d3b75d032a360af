/** Runs the store contract over every adapter. A new adapter is one entry in `adapters`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import { jobs, orders } from './store-fixtures.ts'
import { storeContract } from './store.ts'
import type { StoreAdapter } from './store.ts'

const folder = await mkdtemp(join(tmpdir(), 'keystead-store-'))
test.after.always(() => rm(folder, { recursive: true }))

let opened = 0

const adapters: StoreAdapter[] = [
  {
    name: 'sqlite',
    async open() {
      opened += 1
      return openSqliteStore({ file: join(folder, `${opened}.db`), collections: [jobs, orders] })
    },
  },
]

for (const adapter of adapters) storeContract(test, adapter)
