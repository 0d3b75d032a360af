/** Who has a path of a wallet, and when it is free again: on a real store, with activities in every phase. */
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { ActivityPhase } from '../../../gateway/activities/phases.ts'
import { activitiesSpec, type ActivityDocument } from '../../../gateway/documents.ts'
import { KeyNames } from '../../../gateway/key-names/key-names.ts'
import { openStore } from '../../../gateway/store/open-store.ts'
import { WalletAccounts } from '../../../gateway/wallets/wallet-accounts.ts'
import { WalletPaths } from '../../../gateway/wallets/wallet-paths.ts'

const walletId = randomUUID()
const organizationId = randomUUID()

async function openPaths(t: ExecutionContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-paths-'))
  const store = await openStore({ dataDir })
  t.teardown(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  const activities = store.collection(activitiesSpec)
  const accounts = new WalletAccounts(store, new KeyNames(store))
  const newActivity = async (phase: ActivityPhase = 'accepted'): Promise<ActivityDocument> => {
    const activity: ActivityDocument = {
      _id: randomUUIDv7(),
      v: 0,
      organizationId,
      userId: randomUUID(),
      idempotencyKey: randomUUID(),
      fingerprint: 'sha256:',
      type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
      phase,
      body: '{}',
      stamp: { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: '', signature: '' },
      createdAtMs: 1,
      updatedAtMs: 1,
    }
    await activities.insert(activity)
    return activity
  }
  const end = async ({ _id }: ActivityDocument, phase: ActivityPhase) => {
    const stored = (await activities.get(_id)) as ActivityDocument
    await activities.compareAndSet(stored, { ...stored, phase })
  }
  const newAccount = async (activity: ActivityDocument, path: string): Promise<string> => {
    const keyId = randomUUID()
    const publicKey = randomUUID()
    await accounts.insert(
      activity,
      0,
      { keyId, curve: 'secp256k1', publicKey, sealed: 'c2VhbGVk' },
      {
        kind: 'walletAccount',
        walletId,
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path,
        addressFormat: 'ADDRESS_FORMAT_COMPRESSED',
        address: publicKey,
        publicKey,
      },
    )
    return keyId
  }
  const paths = new WalletPaths(store, accounts)
  const take = (activity: ActivityDocument, ...wanted: string[]) => paths.take(activity._id, walletId, wanted)
  return { newActivity, newAccount, end, accounts, paths, take }
}

test('a path that an activity under way has is taken, for itself it is not', async (t) => {
  const { newActivity, end, take } = await openPaths(t)
  const [first, second] = [await newActivity(), await newActivity()]
  t.is(await take(first, 'm/0', 'm/1'), undefined)
  t.is(await take(first, 'm/0', 'm/1'), undefined, 'once more after a crash')
  t.is(await take(second, 'm/2', 'm/1'), 'm/1')
  await end(first, 'executed')
  t.is(await take(second, 'm/1'), 'm/1')
})

test('what came to nothing holds no path', async (t) => {
  const { newActivity, end, take } = await openPaths(t)
  for (const phase of ['refused', 'failed'] as const) {
    const [first, second, third] = [await newActivity(), await newActivity(), await newActivity()]
    t.is(await take(first, phase), undefined)
    await end(first, phase)
    t.is(await take(second, phase), undefined)
    t.is(await take(third, phase), phase, 'it is the second’s now')
  }
})

test('a path is free again when its account is deleted', async (t) => {
  const { newActivity, newAccount, end, accounts, take } = await openPaths(t)
  const [first, second] = [await newActivity(), await newActivity()]
  await take(first, 'm/0')
  const accountId = await newAccount(first, 'm/0')
  await end(first, 'completed')
  t.is(await take(second, 'm/0'), 'm/0')
  await accounts.delete(accountId, 2)
  t.is(await take(second, 'm/0'), undefined)
})

test('accounts that came with the wallet hold their paths without having taken them', async (t) => {
  const { newActivity, newAccount, take } = await openPaths(t)
  await newAccount(await newActivity('completed'), 'm/0')
  t.is(await take(await newActivity(), 'm/0'), 'm/0')
})

test('the same path of another wallet is another path', async (t) => {
  const { newActivity, paths, take } = await openPaths(t)
  await take(await newActivity(), 'm/0')
  t.is(await paths.take((await newActivity())._id, randomUUID(), ['m/0']), undefined)
})

test('of many that race, exactly one has all its paths', async (t) => {
  const { newActivity, take } = await openPaths(t)
  const wanted = ['m/0', 'm/1', 'm/2']
  const racing = await Promise.all(Array.from({ length: 12 }, () => newActivity()))
  const orders = [wanted, wanted.toReversed(), ['m/1', 'm/2', 'm/0']]
  const taken = await Promise.all(racing.map((each, i) => take(each, ...(orders[i % 3] as string[]))))
  t.is(taken.filter((each) => each === undefined).length, 1)
})
