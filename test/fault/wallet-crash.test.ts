/** Wallets and deletions over crashes: every record once, none too many, and nothing living in a deleted wallet. */
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import {
  activitiesSpec,
  walletAccountsSpec,
  walletsSpec,
  type ActivityDocument,
  type WalletAccountDocument,
} from '../../gateway/documents.ts'
import { madeBy } from '../../gateway/activities/made.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import type { Outcome } from '../../signer-core/protocol/messages.ts'
import type { WalletAccountFacts } from '../../signer-core/protocol/wallet.ts'
import { Client, postBytes, stampOf, type HttpAnswer } from '../support/client.ts'
import { leftBehind, outcomesOf } from '../support/left-behind.ts'
import { isReady } from '../support/load.ts'
import { freePort, killAll, processesOf, until, untilEnded } from '../support/processes.ts'
import { newDataDir, startService } from '../support/service.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_WALLET'
const CREATE_ACCOUNTS = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'
const DELETE = 'ACTIVITY_TYPE_DELETE_WALLETS'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'

/** A new wallet's seed costs the reference engine seconds, and more while other tests run. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }

const account = (i: number) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${i}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
})

function accountDocument(activity: ActivityDocument, { newKeys }: Outcome, place: number): WalletAccountDocument {
  const { key, facts } = newKeys[place] as Outcome['newKeys'][number]
  const known = JSON.parse(facts) as WalletAccountFacts
  return { _id: key.keyId, v: 0, ...madeBy(activity, place), ...known, sealedKey: key }
}

const executed = (activity: ActivityDocument, outcome: Outcome): ActivityDocument => {
  const { organizationVersion: _, ...fixed } = outcome
  return { ...activity, v: 1, phase: 'executed', ...fixed }
}

test.serial('activities left behind in executed are written to their end', async (t) => {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startService({ dataDir, environment })
  t.teardown(() => first.stop())
  const before = new Client(first.dev.baseUrl, first.dev)
  const parameters = { walletName: 'doomed', accounts: [account(0), account(1)] }
  const doomed = (await before.submit('create_wallet', CREATE, parameters)).json.activity.result.createWalletResult
  await first.stop()

  const created = leftBehind(first.dev, CREATE, { walletName: 'kept', accounts: [account(0), account(1)] }, '1')
  const late = leftBehind(first.dev, CREATE_ACCOUNTS, { walletId: doomed.walletId, accounts: [account(2)] }, '2')
  const deletion = { walletIds: [doomed.walletId], deleteWithoutExport: true }
  const deleting = leftBehind(first.dev, DELETE, deletion, '3')
  let store = await openStore({ dataDir })
  const stored = await store.collection(walletsSpec).get(doomed.walletId)
  await store.close()
  const all = [created, late, deleting]
  const outcomes = await outcomesOf(dataDir, all, stored === undefined ? [] : [stored.sealedWallet])
  const [ofCreated, ofLate, ofDeleting] = outcomes as [Outcome, Outcome, Outcome]

  store = await openStore({ dataDir })
  for (const [i, activity] of all.entries()) {
    await store.collection(activitiesSpec).insert(executed(activity, outcomes[i] as Outcome))
  }
  // Of the new wallet one account is written; of the deletion the wallet, not its accounts.
  await store.collection(walletAccountsSpec).insert(accountDocument(created, ofCreated, 1))
  if (stored === undefined) throw new Error('the wallet is not there')
  const emptied = { ...stored.sealedWallet, sealed: '' }
  const half = { ...stored, state: 'deleted' as const, deletedAtMs: 1, sealedWallet: emptied }
  t.true(await store.collection(walletsSpec).compareAndSet(stored, half))
  await store.close()

  const service = await startService({ dataDir, environment })
  t.teardown(() => service.stop())
  const client = new Client(service.dev.baseUrl, service.dev)
  for (const { _id: activityId } of all) {
    await until('its end', async () => {
      return (await client.query('get_activity', { activityId })).json.activity.status === COMPLETED
    })
  }
  const { wallets } = (await client.query('list_wallets')).json
  t.deepEqual(
    wallets.map((each: { walletName: string }) => each.walletName),
    ['kept'],
  )
  const { accounts } = (await client.query('list_wallet_accounts')).json
  t.deepEqual(
    accounts.map((each: { address: string }) => each.address),
    JSON.parse(ofCreated.result).createWalletResult.addresses,
    'of the deleted wallet nothing lives, not even what was made in it at the same time',
  )
  for (const { address } of accounts) t.is((await client.sign(address, 'x', 'HASH_FUNCTION_SHA256')).status, 200)
  const gone = [...doomed.addresses, ...JSON.parse(ofLate.result).createWalletAccountsResult.addresses]
  t.is(gone.length, 3)
  for (const address of gone) t.is((await client.sign(address, 'x', 'HASH_FUNCTION_SHA256')).status, 404)
  t.deepEqual(JSON.parse(ofDeleting.result), { deleteWalletsResult: { walletIds: [doomed.walletId] } })

  await service.stop()
  store = await openStore({ dataDir })
  const documents = await store.collection(walletAccountsSpec).find({ where: {}, sort: '_id', limit: 10 })
  await store.close()
  t.is(documents.items.length, 5)
  t.true(documents.items.every((each) => (each.sealedKey.sealed === '') === (each.state === 'deleted')))
})

const ACCOUNTS = 12
const KILLS = 3
/** Several starts of a gateway lie in between, on a machine that has other tests to run. */
const SETTLED_MS = 90_000

test.serial('kill -9 of the gateway while accounts are made: each path once, each answer true', async (t) => {
  const port = String(await freePort())
  const service = await startService({ environment: { ...environment, KEYSTEAD_PORT: port } })
  t.teardown(() => service.dispose())
  const { baseUrl, organizationId } = service.dev
  const client = new Client(baseUrl, service.dev)
  const { json } = await client.submit('create_wallet', CREATE, { walletName: 'w', accounts: [] })
  const { walletId } = json.activity.result.createWalletResult

  // Two bodies for each path: one of them is to win, whatever happens in between.
  const bodies = Array.from({ length: 2 * ACCOUNTS }, (_, i) => {
    const wanted = { walletId, accounts: [account(i >> 1)] }
    return JSON.stringify({ type: CREATE_ACCOUNTS, timestampMs: String(i), organizationId, parameters: wanted })
  })
  const send = (body: string) =>
    postBytes(baseUrl, '/public/v1/submit/create_wallet_accounts', body, { 'X-Stamp': stampOf(service.dev, body) })
  const settle = async (body: string): Promise<HttpAnswer> => {
    let answer: HttpAnswer | undefined
    await until(
      'an answer',
      async () => {
        answer = await send(body).catch(() => undefined)
        return (
          answer !== undefined && answer.status !== 503 && answer.json.activity?.status !== 'ACTIVITY_STATUS_PENDING'
        )
      },
      SETTLED_MS,
    )
    return answer as HttpAnswer
  }
  const settling = Promise.all(bodies.map((body) => settle(body)))
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomInt(20, 400))
    let gateway: number | undefined
    await until('a gateway', async () => (gateway = processesOf(service).gateway) !== undefined)
    killAll([gateway as number])
    await untilEnded([gateway as number])
  }
  const answers = await settling
  // All may have been answered before the last kill, whose gateway is only just coming back.
  await until('the gateway again', () => isReady(baseUrl))

  const { accounts } = (await client.query('list_wallet_accounts', { walletId, paginationOptions: { limit: '100' } }))
    .json as { accounts: { path: string; address: string }[] }
  t.is(accounts.length, ACCOUNTS)
  t.is(new Set(accounts.map((each) => each.path)).size, ACCOUNTS)
  for (let i = 0; i < ACCOUNTS; i++) {
    const both = answers.slice(2 * i, 2 * i + 2)
    const won = both.filter((each) => each.json.activity?.status === COMPLETED)
    t.is(won.length, 1, both.map((each) => each.text).join('\n'))
    const lost = both.find((each) => each !== won[0])
    // Refused, or failed when a client may have seen it under way.
    t.true(lost?.status === 400 || lost?.json.activity.failure.code === 'WALLET_PATH_TAKEN', lost?.text)
    const addresses = won[0]?.json.activity.result.createWalletAccountsResult.addresses
    t.deepEqual([accounts.find((each) => each.path === account(i).path)?.address], addresses)
  }
  t.notRegex(service.output(), /"msg":"bug"|activity_stuck/)
})
