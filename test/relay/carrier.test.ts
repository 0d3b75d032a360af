/** A relay transaction from admission to every end, with the process dying around any write. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { keccak256, numberToHex, toHex, type Address, type Hex } from 'viem'
import {
  findAll,
  RpcUnavailableError,
  type Collection,
  type Inclusion,
  type SendRecord,
} from '../../gateway/plugin-api.ts'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import { designatorOf } from '../../plugins/gas-relay/delegates/designator.ts'
import { cancelTransaction } from '../../plugins/gas-relay/operations/cancel-transaction.ts'
import type { OperationParts } from '../../plugins/gas-relay/operations/operation.ts'
import { RelayError } from '../../plugins/gas-relay/reasons.ts'
import { journalSpec, sumOf } from '../../plugins/gas-relay/tank/journal-entry.ts'
import { balanceOf, tankId, tanksSpec } from '../../plugins/gas-relay/tank/tank.ts'
import { Tanks } from '../../plugins/gas-relay/tank/tanks.ts'
import { Authorities, authoritiesSpec } from '../../plugins/gas-relay/transactions/authorities.ts'
import { Carrier } from '../../plugins/gas-relay/transactions/carrier.ts'
import type { EvidenceReads } from '../../plugins/gas-relay/transactions/evidence.ts'
import {
  isOver,
  transactionsSpec,
  type Phase,
  type TransactionDocument,
} from '../../plugins/gas-relay/transactions/transaction.ts'
import { Transactions } from '../../plugins/gas-relay/transactions/transactions.ts'
import { until } from '../support/processes.ts'
import { Crashed, crashing } from '../support/relay/crashing-store.ts'
import { scriptedSender } from '../support/relay/scripted-sender.ts'
import { fuzzCount, SeededRandom, seedOfRun } from '../support/seeded-random.ts'

const ORGANIZATION = '11111111-2222-4333-8444-555555555555'
const NETWORK = 'eip155:84532'
const TANK = tankId(ORGANIZATION, NETWORK)
const PAID = 10_000n
const COST_MAX = 1_000n
const PAYEE: Address = '0x00000000000000000000000000000000000000bb'
const DIGEST: Hex = keccak256(toHex('batch'))

function rig(t: ExecutionContext, dies = () => false) {
  const folder = mkdtempSync(join(tmpdir(), 'ks-carrier-'))
  const specs = [transactionsSpec, authoritiesSpec, tanksSpec, journalSpec]
  const store = openSqliteStore({ file: join(folder, 'store.sqlite'), collections: specs })
  t.teardown(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const sender = scriptedSender()
  let otherwise: Address | undefined
  let isSilent = false
  const laters: string[] = []
  const clock = { nowMs: 1_000 }

  /** A process of its own: all that it knows is in the store. */
  function open(dying = dies, rows = crashing(store, transactionsSpec, dying)) {
    const nowMs = () => clock.nowMs
    const transactions = new Transactions(rows, nowMs)
    const tanks = new Tanks({
      tanks: crashing(store, tanksSpec, dying),
      journal: crashing(store, journalSpec, dying),
      nowMs,
    })
    const authorities = new Authorities(crashing(store, authoritiesSpec, dying), async (id) => {
      const holder = await transactions.get(id)
      return holder === undefined || isOver(holder)
    })
    const account: EvidenceReads['account'] = {
      async code(address) {
        if (isSilent) throw new RelayError('relay_chain_unavailable')
        return designatorOf(address === otherwise ? PAYEE : address)
      },
      view: () => Promise.reject(new Error('not asked')),
    }
    const reads: EvidenceReads = { account, head: { height: async () => 1n } }
    const logger = pino({ level: 'silent' })
    const later = async (id: string) => void laters.push(id)
    const chainParts = { reads, sender: () => sender }
    const parts = { transactions, authorities, tanks, ...chainParts, inFlightMax: 3, later, logger, nowMs }
    return { transactions, tanks, carrier: new Carrier(parts) }
  }

  async function admit(id: string, members: Partial<TransactionDocument> = {}): Promise<void> {
    await store.collection(transactionsSpec).insert({ ...documentOf(id), ...members })
  }

  /** Starts again until a process has lived long enough. */
  async function carry(id: string): Promise<TransactionDocument> {
    for (;;) {
      try {
        return await open().carrier.carry(id)
      } catch (error) {
        if (!(error instanceof Crashed)) throw error
      }
    }
  }

  const calm = open(() => false)
  /** From now on the account has another delegate than it should. */
  const delegateOtherwise = (address: Address) => (otherwise = address)
  const fallSilent = () => (isSilent = true)
  return {
    open,
    delegateOtherwise,
    fallSilent,
    laters,
    store,
    sender,
    clock,
    admit,
    carry,
    calm,
    tank: () => calm.tanks.read(TANK),
  }
}

/** Of an account of its own. */
function documentOf(id: string): TransactionDocument {
  const from: Address = `0x${keccak256(toHex(id)).slice(-40)}`
  const target = { to: from, data: '0x12' as Hex, gasLimit: '10', feeCeiling: '100', costMax: String(COST_MAX) }
  const batch = { batchDigest: DIGEST, batchNonce: '0', deadline: '9000', callCount: 1 }
  const ids = { _id: id, v: 0, organizationId: ORGANIZATION, requestKey: `request ${id}`, network: NETWORK }
  const state = {
    phase: 'admitted' as const,
    hashes: [],
    epoch: 0,
    validUntilMs: 5_000,
    createdAtMs: 1,
    updatedAtMs: 1,
  }
  return { ...ids, from, delegate: from, adapter: 'batch-delegate', ...batch, ...target, ...state }
}

/** Mined in block `block`, with the delegate's event unless told otherwise. */
function mined(id: string, block: number, cost: bigint, { status = 'success', event = true } = {}): SendRecord {
  const topics = [keccak256(toHex('BatchExecuted(uint256,bytes32)')), numberToHex(0, { size: 32 }), DIGEST]
  const hash = keccak256(toHex(id))
  const inclusion: Inclusion = {
    hash,
    blockHash: keccak256(toHex(block)),
    blockNumber: BigInt(block),
    status: status as Inclusion['status'],
    gasUsed: cost,
    effectiveGasPrice: 1n,
    l1Fee: 0n,
    cost,
    logs: event ? [{ address: documentOf(id).from, topics, data: '0x' }] : [],
  }
  return { key: id, state: 'final', hashes: [hash], inclusion }
}

const ends: Record<
  string,
  { record: Partial<SendRecord>; cancelled?: true; phase: Phase; failure?: string; cost: bigint }
> = {
  'mined with its effect': { record: mined('row', 7, 400n), phase: 'confirmed', cost: 400n },
  'mined and reverted': {
    record: mined('row', 7, 400n, { status: 'reverted' }),
    phase: 'failed',
    failure: 'relay_reverted',
    cost: 400n,
  },
  'mined without effect': {
    record: mined('row', 7, 400n, { event: false }),
    phase: 'failed',
    failure: 'relay_effect_missing',
    cost: 400n,
  },
  'cancelled by the engine, which costs': {
    record: { state: 'replaced', cancelCost: 21n },
    phase: 'expired',
    cost: 21n,
  },
  'its nonce used by somebody else': {
    record: { state: 'replaced' },
    phase: 'failed',
    failure: 'relay_superseded',
    cost: 0n,
  },
  'too late to be signed': { record: { state: 'failed', failure: 'send_expired' }, phase: 'expired', cost: 0n },
  'refused by the signer': {
    record: { state: 'failed', failure: 'send_refused' },
    phase: 'failed',
    failure: 'relay_signer_refused',
    cost: 0n,
  },
  'no more what was checked': {
    record: { state: 'failed', failure: 'send_withdrawn' },
    phase: 'failed',
    failure: 'relay_state_changed',
    cost: 0n,
  },
  'cancelled by its owner': {
    record: { state: 'failed', failure: 'send_withdrawn' },
    cancelled: true,
    phase: 'failed',
    failure: 'relay_cancelled',
    cost: 0n,
  },
}

for (const [what, { record, cancelled, phase, failure, cost }] of Object.entries(ends)) {
  test(`ends: ${what}`, async (t) => {
    const { sender, admit, carry, calm, tank } = rig(t)
    await calm.tanks.deposit(TANK, 'all', PAID)
    await admit('row')
    t.is((await carry('row')).phase, 'pending')
    t.like(await tank(), { reserved: String(COST_MAX), debited: '0' })
    t.like(sender.requests.get('row'), {
      gasLimit: 10n,
      feeCeiling: 100n,
      validUntilMs: 5_000,
      affinity: documentOf('row').from,
    })
    if (cancelled === true) {
      const stored = await calm.transactions.get('row')
      await calm.transactions.replace(stored as TransactionDocument, { cancelled: true })
    }
    sender.set('row', { state: 'broadcast', hashes: [DIGEST] })
    t.like(await carry('row'), { phase: 'broadcasted', hashes: [DIGEST] })
    sender.set('row', record)
    const end = await carry('row')
    t.is(end.phase, phase)
    t.is(end.closing?.failure, failure as never)
    t.like(await tank(), { reserved: '0', debited: String(cost), reservations: {} })
    t.is((await carry('row')).v, end.v)
  })
}

test('an event of an account that does not have the delegate proves nothing', async (t) => {
  const { admit, carry, calm, sender, delegateOtherwise } = rig(t)
  await calm.tanks.deposit(TANK, 'all', PAID)
  await admit('row')
  delegateOtherwise(documentOf('row').from)
  await carry('row')
  sender.set('row', mined('row', 7, 400n))
  t.like(await carry('row'), { phase: 'failed', closing: { failure: 'relay_effect_missing', cost: '400' } })
})

test('of a new block a node may not tell yet: asked again by the job, of a final one by the engine’s next word', async (t) => {
  const { admit, calm, sender, fallSilent, laters } = rig(t)
  await calm.tanks.deposit(TANK, 'all', PAID)
  await admit('row')
  await calm.carrier.carry('row')
  fallSilent()
  const record = mined('row', 7, 400n)
  sender.set('row', { ...record, state: 'included' })
  await calm.carrier.onChange({ ...record, state: 'included' })
  t.deepEqual(laters, ['row'])
  t.is(await calm.carrier.job('row'), 'retry')
  sender.set('row', record)
  await t.throwsAsync(calm.carrier.onChange(record), { instanceOf: RelayError })
  t.deepEqual(laters, ['row'])
  t.like(await calm.transactions.get('row'), { phase: 'broadcasted', hashes: record.hashes })
})

test('what is signed is cancelled by the engine, at its owner’s cost, unless it is mined first', async (t) => {
  const { admit, carry, calm, sender, tank } = rig(t)
  await calm.tanks.deposit(TANK, 'all', PAID)
  for (const id of ['cancelled', 'mined']) {
    await admit(id)
    sender.set(id, { state: 'broadcast', hashes: [DIGEST] })
    const sent = await carry(id)
    await calm.transactions.replace(sent, { cancelled: true })
    t.false(sender.cancelled.has(id))
    t.is((await carry(id)).phase, 'broadcasted')
    t.true(sender.cancelled.has(id))
  }
  sender.set('cancelled', { state: 'replaced', cancelCost: 21n })
  t.like(await carry('cancelled'), { phase: 'failed', closing: { failure: 'relay_cancelled', cost: '21' } })
  sender.set('mined', mined('mined', 3, 400n))
  t.like(await carry('mined'), { phase: 'confirmed' })
  t.like(await tank(), { debited: '421', reserved: '0' })
})

test('cancelled while the chain is silent: stored and answered, and done by the next run', async (t) => {
  const { admit, calm, sender } = rig(t)
  await calm.tanks.deposit(TANK, 'all', PAID)
  const host = { checkTimestamp: () => undefined }
  const reads = { height: async () => 9n }
  const parts = { ...calm, host, sender: () => sender, reads } as unknown as OperationParts
  const cancelled = (id: string) => {
    const type = 'ACTIVITY_TYPE_RELAY_CANCEL_TRANSACTION'
    const json = { type, organizationId: ORGANIZATION, timestampMs: '1', id }
    return cancelTransaction(parts, { json, digest: '', organizationId: ORGANIZATION, readsOnly: false })
  }
  const silence = new RpcUnavailableError('silent')
  // Known to the engine, which cannot be asked.
  await admit('sent')
  sender.set('sent', { state: 'broadcast', hashes: [DIGEST] })
  await calm.carrier.carry('sent')
  sender.cancel = () => Promise.reject(silence)
  t.like(await cancelled('sent'), { status: 'broadcasted' })
  t.like(await calm.transactions.get('sent'), { cancelled: true })
  t.is(await calm.carrier.job('sent'), 'retry')
  // A job that began before is waiting.
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<SendRecord>()
  sender.send = () => (asked.resolve(), answered.promise)
  await admit('waiting')
  const job = calm.carrier.job('waiting')
  await asked.promise
  const answer = cancelled('waiting')
  await until('the wish', async () => (await calm.transactions.get('waiting'))?.cancelled === true)
  answered.reject(silence)
  t.is(await job, 'retry')
  t.like(await answer, { status: 'failed', failure: { code: 'relay_cancelled' } })
})

test('what no engine has is ended by its owner or by its time, and costs nothing', async (t) => {
  const { clock, admit, carry, calm, sender, tank } = rig(t)
  await calm.tanks.deposit(TANK, 'all', PAID)
  await admit('cancelled', { cancelled: true })
  t.like(await carry('cancelled'), { phase: 'failed', closing: { failure: 'relay_cancelled' } })
  clock.nowMs = 5_001
  await admit('late')
  t.is((await carry('late')).phase, 'expired')
  t.is(sender.requests.size, 0)
  t.like(await tank(), { reserved: '0', debited: '0' })
})

test('refused: the account is busy, the tank too empty, too many under way; a place that is left is free', async (t) => {
  const { admit, carry, calm, sender } = rig(t)
  const { from } = documentOf('first')
  await calm.tanks.deposit(TANK, 'all', 3n * COST_MAX - 1n)
  await admit('first')
  t.is((await carry('first')).phase, 'pending')
  await admit('busy', { from })
  t.like(await carry('busy'), { phase: 'refused', reason: 'relay_authority_busy', requestKey: 'busy' })
  await admit('second')
  t.is((await carry('second')).phase, 'pending')
  await admit('poor')
  t.like(await carry('poor'), { phase: 'refused', reason: 'relay_insufficient_balance' })
  await admit('small', { costMax: '1' })
  t.is((await carry('small')).phase, 'pending')
  await admit('fourth', { costMax: '1' })
  t.like(await carry('fourth'), { phase: 'refused', reason: 'relay_too_many_in_flight' })
  sender.set('first', mined('first', 3, 10n))
  t.is((await carry('first')).phase, 'confirmed')
  await admit('next', { from, costMax: '1' })
  t.is((await carry('next')).phase, 'pending')
})

test('two carry one admitted row, one finds no room and the other some: nothing stays set aside', async (t) => {
  const { admit, store, calm, open, tank } = rig(t)
  await calm.tanks.deposit(TANK, 'all', COST_MAX - 1n)
  await admit('row')
  // The first is slow to store its no; the second reserves meanwhile, and is slower still.
  const refusing = Promise.withResolvers<void>()
  const reserved = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<void>()
  const slowTo = (phase: Phase, hold: () => Promise<void>): Collection<TransactionDocument> => {
    const real = store.collection(transactionsSpec)
    return {
      insert: (document) => real.insert(document),
      get: (id) => real.get(id),
      find: (query) => real.find(query),
      async compareAndSet(stored, next) {
        if (next.phase === phase) await hold()
        return real.compareAndSet(stored, next)
      },
    }
  }
  const holdRefusal = () => (refusing.resolve(), reserved.promise)
  const holdPending = () => (reserved.resolve(), refused.promise)
  const first = open(() => false, slowTo('refused', holdRefusal)).carrier.carry('row')
  await refusing.promise
  await calm.tanks.deposit(TANK, 'more', 1n)
  const second = open(() => false, slowTo('pending', holdPending)).carrier.carry('row')
  t.is((await first).phase, 'refused')
  refused.resolve()
  t.is((await second).phase, 'refused')
  t.like(await tank(), { reserved: '0', reservations: {} })
  await admit('next', { from: documentOf('row').from })
  await calm.carrier.carry('next')
  t.like(await tank(), { reserved: String(COST_MAX), reservations: { next: String(COST_MAX) } })
})

test('what was set aside for a row that was refused meanwhile is given back by whoever carries it', async (t) => {
  const { admit, calm, tank } = rig(t)
  await calm.tanks.deposit(TANK, 'all', COST_MAX - 1n)
  await admit('row')
  t.is((await calm.carrier.carry('row')).phase, 'refused')
  await calm.tanks.deposit(TANK, 'more', 1n)
  const room = { epoch: 0, amount: COST_MAX, countMax: 3 }
  t.is(await calm.tanks.reserve(TANK, 'row', room), 'reserved')
  t.is(await calm.carrier.job('row'), 'done')
  t.like(await tank(), { reserved: '0', reservations: {} })
})

test('a reorganization takes the gas back, keeps the status, and the next end is settled anew', async (t) => {
  const { admit, carry, calm, sender, tank } = rig(t)
  await calm.tanks.deposit(TANK, 'all', PAID)
  await admit('row')
  await carry('row')
  sender.set('row', mined('row', 7, 400n))
  t.is((await carry('row')).phase, 'confirmed')
  sender.set('row', { state: 'broadcast', hashes: [keccak256(toHex('row'))] })
  const open = await carry('row')
  t.like(open, { phase: 'confirmed', epoch: 1 })
  t.deepEqual([open.closing, open.closed, open.reopening], [undefined, undefined, undefined])
  t.like(await tank(), { reserved: '400', debited: '0' })
  sender.set('row', mined('row', 9, 700n, { status: 'reverted' }))
  t.like(await carry('row'), { phase: 'failed', epoch: 1 })
  t.like(await tank(), { reserved: '0', debited: '700' })
  // From one final block to another, with no look in between.
  sender.set('row', mined('row', 11, 300n))
  t.like(await carry('row'), { phase: 'confirmed', epoch: 2 })
  t.like(await tank(), { reserved: '0', debited: '300' })
})

test('with a process dying around any write: each ends once, and the tank is exact', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  let crashes = 0
  const dies = () => random.below(8) === 0 && ++crashes > 0
  const { store, admit, carry, calm, sender, tank } = rig(t, dies)
  await calm.tanks.deposit(TANK, 'all', 10n ** 9n)
  let debited = 0n
  for (let i = 0; i < fuzzCount(60); i++) {
    const id = `row-${i}`
    await admit(id)
    await carry(id)
    let block = 1
    let cost = BigInt(random.below(1_500))
    for (let reorganizations = random.below(3); reorganizations > 0; reorganizations--) {
      sender.set(id, mined(id, block++, cost))
      await carry(id)
      if (random.below(2) === 0) sender.set(id, { state: 'broadcast' })
      await carry(id)
      cost = BigInt(random.below(1_500))
    }
    const record = random.pick([mined(id, block, cost), { state: 'replaced', cancelCost: cost } as const])
    sender.set(id, record)
    const end = await carry(id)
    t.true(isOver(end) && end.closed === true)
    debited += cost
    const now = await tank()
    if (now.debited !== String(debited) || now.reserved !== '0') return t.fail(`${id}: ${now.debited} ${now.reserved}`)
  }
  await calm.tanks.flush(TANK)
  const entries = await findAll(store.collection(journalSpec), { where: { tankId: TANK }, sort: 'sequence' })
  const now = await tank()
  t.is(sumOf(entries, 'available'), balanceOf(now))
  t.is(sumOf(entries, 'spent') + sumOf(entries, 'absorbed'), debited)
  t.true(crashes > 0)
})
