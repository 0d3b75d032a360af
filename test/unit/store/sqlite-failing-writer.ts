/**
 * Started by sqlite-io-error.test.ts under a limit on the size of files: writes until a transaction is refused, then
 * tries a write, a read and a readiness probe more. Prints what became of each, as JSON.
 */
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import { entries, entry } from './sqlite-fixtures.ts'

const [file] = process.argv.slice(2)
const store = openSqliteStore({ file: file as string, collections: [entries] })
const collection = store.collection(entries)
const acknowledged: number[] = []
const refused: number[] = []

for (let from = 0; refused.length === 0; from += 10) {
  const serials = Array.from({ length: 10 }, (_, i) => from + i)
  const results = await Promise.allSettled(serials.map((serial) => collection.insert(entry(serial, 'x'.repeat(1000)))))
  results.forEach(({ status }, i) => (status === 'fulfilled' ? acknowledged : refused).push(serials[i] as number))
}

const later = await Promise.allSettled([collection.insert(entry(-1)), collection.get('entry-0'), store.ready()])
const after = later.map((result) => (result.status === 'fulfilled' ? 'worked' : (result.reason as Error).name))
process.stdout.write(JSON.stringify({ acknowledged, refused, after }))
process.exit(0)
