/** Every adapter of the store port that this machine can run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestFn } from 'ava'
import { openMongodbStore } from '../../gateway/store/mongodb/open-mongodb-store.ts'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import { mongodbKind, startMongodb, type MongodbServer } from '../support/mongodb-server.ts'
import { haveServers } from '../support/servers.ts'
import { jobs, orders } from './store-fixtures.ts'
import type { StoreAdapter } from './store.ts'

const collections = [jobs, orders]

export function storeAdapters(test: TestFn): StoreAdapter[] {
  const adapters = [sqlite(test)]
  if (haveServers(test, 'store contract on MongoDB', 'mongodb')) adapters.push(mongodb(test))
  return adapters
}

function sqlite(test: TestFn): StoreAdapter {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-store-'))
  test.after.always(() => rmSync(folder, { recursive: true }))
  let opened = 0
  return { name: 'sqlite', open: async () => openSqliteStore({ file: join(folder, `${++opened}.db`), collections }) }
}

function mongodb(test: TestFn): StoreAdapter {
  let server: MongodbServer
  test.before(async () => {
    server = await startMongodb()
  })
  test.after.always(() => server.dispose())
  let opened = 0
  return {
    name: `mongodb (${mongodbKind})`,
    oneByOne: true,
    // Java compares strings by UTF-16 units, MongoDB by code points.
    ...(mongodbKind === 'mongo-java-server' && { failsHere: ['strings sort by code point'] }),
    open: async () => openMongodbStore({ url: server.url(`contract${process.pid}x${++opened}`), collections }),
  }
}
