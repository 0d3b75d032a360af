import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import test from 'ava'
import { Organizations } from '../../gateway/organizations/organizations.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import { newDataDir, startService } from '../support/service.ts'

test('a data folder of the former format is refused at start, in one sentence', async (t) => {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const store = await openStore({ dataDir })
  const organizations = new Organizations(store)
  await t.notThrowsAsync(organizations.refuseFormerFormat(), 'an empty one is not')
  const organizationId = randomUUID()
  await organizations.insert(organizationId, { text: JSON.stringify({ format: 1, organizationId }), seal: '' }, 0)
  await store.close()
  const error = await t.throwsAsync(startService({ dataDir }))
  t.regex(error?.message ?? '', /\nkeystead: the data folder is of a former version \(records of format 1\): [^\n]*\n/)
})
