/** What nobody carries any more is found without a restart: rows whose job was lost, money set aside for a row that is over. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import test from 'ava'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { QueueUnavailableError, type EvmChain, type PluginHost, type Queue } from '../../gateway/plugin-api.ts'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import { gasRelay } from '../../plugins/gas-relay/plugin.ts'
import { relaySpecs } from '../../plugins/gas-relay/relay.ts'
import { settingsSchema } from '../../plugins/gas-relay/settings.ts'
import { Tanks } from '../../plugins/gas-relay/tank/tanks.ts'
import { journalSpec } from '../../plugins/gas-relay/tank/journal-entry.ts'
import { tankId, tanksSpec } from '../../plugins/gas-relay/tank/tank.ts'
import { transactionsSpec, type TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'
import { until } from '../support/processes.ts'
import { signBatch, startDelegationChain, transfer, type DelegationChain } from '../support/relay/delegation.ts'
import { openRelayRig, ORGANIZATION, TANK } from '../support/relay/relay-rig.ts'
import { submissionOf } from '../support/relay/submissions.ts'
import { scriptedSender } from '../support/relay/scripted-sender.ts'
import { relayerAccount } from '../support/sending.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
let chain: DelegationChain

test.before(async () => {
  chain = await startDelegationChain()
  await chain.client.setBalance({ address: relayerAccount('one').address, value: 10n ** 21n })
})
test.after.always(() => chain.stop())

/** A relay whose queue can be out of reach. */
async function openRig() {
  const state = { isDown: false }
  const wrapQueue = (queue: Queue): Queue => ({
    add: (id, delayMs) =>
      state.isDown ? Promise.reject(new QueueUnavailableError('out of reach')) : queue.add(id, delayMs),
  })
  const contracts = { delegate: chain.delegate, guard: chain.guard }
  const rig = await openRelayRig({ rpcUrls: [chain.rpcUrl], relayerKeys: ['one'], contracts, wrapQueue })
  return { state, rig }
}

test.serial('a row whose job could not be added is carried, though its client does not come back', async (t) => {
  const { state, rig } = await openRig()
  t.teardown(() => rig.dispose())
  const account = await chain.newAccount(1_000n)
  const batch = await signBatch(account, [transfer(chain.token, PAYEE, 1n)])
  const parameters = submissionOf(account.address, batch, await chain.authorize(account))
  const relayer = relayerAccount('one').address
  // The engine takes nothing for a relayer without money.
  await chain.client.setBalance({ address: relayer, value: 0n })
  await rig.look()
  state.isDown = true
  t.is((await rig.send('lost', parameters)).phase, 'pending')
  const stored = async () => (await rig.transactions.list(ORGANIZATION, 1, undefined)).items[0]
  await t.throwsAsync(rig.sweep(), { instanceOf: QueueUnavailableError })
  state.isDown = false
  await chain.client.setBalance({ address: relayer, value: 10n ** 21n })
  await rig.look()
  t.is((await stored())?.phase, 'pending')
  await rig.sweep()
  await until('the end of the row', async () => (await stored())?.phase === 'confirmed')
  t.is(await chain.balance(account.address), 999n)
})

test.serial('a row of the network that was served before is not sent on this one', async (t) => {
  const network = 'eip155:1'
  const options = {
    rpcUrls: [chain.rpcUrl],
    relayerKeys: ['one'],
    contracts: { delegate: chain.delegate, guard: chain.guard },
  }
  const before = await openRelayRig({ ...options, settings: { network } })
  const tank = tankId(ORGANIZATION, network)
  await before.tanks.deposit(tank, 'all', 10n ** 19n)
  const account = await chain.newAccount(1_000n)
  const batch = await signBatch(account, [transfer(chain.token, PAYEE, 1n)])
  const parameters = submissionOf(account.address, batch, await chain.authorize(account))
  const relayer = relayerAccount('one').address
  await chain.client.setBalance({ address: relayer, value: 0n })
  await before.look()
  const { _id: id, phase } = await before.send('waiting', { ...parameters, caip2: network })
  t.is(phase, 'pending')
  await before.close()
  await chain.client.setBalance({ address: relayer, value: 10n ** 21n })
  const rig = await openRelayRig({ ...options, folder: before.folder })
  t.teardown(() => rig.dispose())
  await until('the end of the row', async () => (await rig.transactions.get(id))?.closed === true)
  t.like(await rig.transactions.get(id), { phase: 'failed', closing: { failure: 'relay_state_changed', cost: '0' } })
  t.like(await rig.tanks.read(tank), { debited: '0', reserved: '0' })
  t.is(await chain.balance(account.address), 1_000n)
})

test.serial('four times a minute: rows under way, and rows that have something set aside', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const folder = mkdtempSync(join(tmpdir(), 'ks-sweep-'))
  const store = openSqliteStore({ file: join(folder, 'store.sqlite'), collections: relaySpecs })
  t.teardown(async () => {
    mock.timers.reset()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const added: string[] = []
  const queue: Queue = { add: async (id) => void added.push(id) }
  const sender = scriptedSender()
  const toyChain = { family: 'eip155', caip2: 'eip155:84532', chainId: 84_532, openSender: () => sender }
  const host = {
    collection: (spec) => store.collection(spec),
    openQueue: () => queue,
    metrics: new Registry(),
    logger: pino({ level: 'silent' }),
    nowMs: () => 1,
    chains: new Map([[toyChain.caip2, toyChain as unknown as EvmChain]]),
  } as Partial<PluginHost> as PluginHost
  const running = await gasRelay.start(host, settingsSchema.parse({}))
  t.deepEqual(added, [])
  const rows = store.collection(transactionsSpec)
  for (const phase of ['admitted', 'pending', 'broadcasted', 'refused', 'confirmed'] as const) {
    const row = {
      _id: phase,
      v: 0,
      organizationId: ORGANIZATION,
      requestKey: phase,
      phase,
      createdAtMs: 1,
      updatedAtMs: 1,
    }
    await rows.insert(row as TransactionDocument)
  }
  const tanks = new Tanks({
    tanks: store.collection(tanksSpec),
    journal: store.collection(journalSpec),
    nowMs: () => 1,
  })
  await tanks.deposit(TANK, 'all', 10n)
  await tanks.reserve(TANK, 'refused', { epoch: 0, amount: 1n, countMax: 1 })
  mock.timers.tick(15_000)
  await until('the sweep', () => added.length >= 4)
  t.deepEqual(added.toSorted(), ['admitted', 'broadcasted', 'pending', 'refused'])
  await running.close?.()
})
