/** What activities change again and again: carried out once more by a process that stood still, one undoes nothing. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { changedOnce } from '../../../gateway/activities/made.ts'
import type { ActivityDocument } from '../../../gateway/documents.ts'
import { ImportTargets } from '../../../gateway/imports/import-targets.ts'
import { openStore } from '../../../gateway/store/open-store.ts'
import { Wallets } from '../../../gateway/wallets/wallets.ts'

const organizationId = randomUUID()
const walletId = randomUUID()

async function openTestStore(t: ExecutionContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-changed-'))
  const store = await openStore({ dataDir })
  t.teardown(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  return store
}

test('a wallet keeps the name that it was given last', async (t) => {
  const wallets = new Wallets(await openTestStore(t))
  const activity = { _id: 'made', organizationId, createdAtMs: 1 } as ActivityDocument
  await wallets.insert(activity, 0, { walletId, sealed: '' }, { walletName: 'new', imported: false })
  const nameAfter = async (walletName: string, activityId: string) => {
    await wallets.rename(walletId, walletName, activityId, 2)
    return (await wallets.get(organizationId, walletId))?.walletName
  }
  t.is(await nameAfter('first', 'a'), 'first')
  t.is(await nameAfter('first', 'a'), 'first')
  t.is(await nameAfter('second', 'b'), 'second')
  t.is(await nameAfter('first', 'a'), 'second')
  t.is(await nameAfter('first', 'c'), 'first', 'another activity')
})

test('an import target that was used does not come back, nor does the one before it', async (t) => {
  const targets = new ImportTargets(await openTestStore(t))
  const after = async (_id: string, target: { publicKey: string; sealed: string } | null) => {
    await targets.set({ _id, organizationId }, 'ann', 'wallet', target, 1)
    return targets.get(organizationId, 'ann', 'wallet')
  }
  const [one, two] = ['1', '2'].map((text) => ({ publicKey: text, sealed: text }))
  t.deepEqual(await after('begun', one ?? null), one)
  t.is(await after('used', null), undefined)
  t.is(await after('begun', one ?? null), undefined)
  t.deepEqual(await after('begun again', two ?? null), two)
  for (const late of ['begun', 'used']) t.deepEqual(await after(late, null), two)
})

test('what is remembered does not grow', (t) => {
  let stored: { changedBy?: string[]; at?: number } = {}
  for (let at = 0; at < 100; at++) stored = changedOnce(stored, `${at}`, { at }) ?? stored
  t.is(stored.at, 99)
  t.is(stored.changedBy?.length, 16)
  t.is(stored.changedBy?.at(-1), '99')
})
