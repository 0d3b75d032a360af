/**
 * Started by the tests as a process of its own: writes to a store until it is killed.
 *
 * Arguments: database file. Prints one line for each insert that was acknowledged: its serial; before those `ready`.
 */
import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import { entries, entry } from './sqlite-fixtures.ts'

const [file] = process.argv.slice(2)
const store = openSqliteStore({ file: file as string, collections: [entries], lockWaitMs: 100 })
const collection = store.collection(entries)
let serial = 0

async function writeOn(): Promise<never> {
  for (;;) {
    const mine = (serial += 1)
    await collection.insert(entry(mine, 'x'.repeat(500)))
    // Synchronous, so that what is printed is a lower bound of what was acknowledged, and never more.
    writeSync(1, `${mine}\n`)
  }
}

writeSync(1, 'ready\n')
await Promise.all(Array.from({ length: 16 }, writeOn))
