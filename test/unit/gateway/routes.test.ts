/** The README's table of routes and the registries that the routes are made of. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { queries } from '../../../gateway/queries/index.ts'
import { activityTypes } from '../../../signer-core/protocol/activity-types.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../gateway/README.md'), 'utf8')
const section = readme.split('## Routes')[1]?.split('\n## ')[0] ?? ''
const [submit = '', query = ''] = section.split(/^\| query /m)

/** What stands in backticks in the first column. */
function named(table: string): string[] {
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name as string),
  )
}

test('it names every submit path and every query, once', (t) => {
  const paths = new Set(Object.values(activityTypes).map(({ path }) => path))
  t.deepEqual(named(submit).toSorted(), [...paths].toSorted())
  t.deepEqual(named(query).toSorted(), Object.keys(queries).toSorted())
})
