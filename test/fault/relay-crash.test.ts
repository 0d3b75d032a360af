/**
 * kill -9 after everything that the relay does to store, signer and chain, from the first write of an admission to the
 * last of a settlement. What comes after it is asked for the same body again: one transaction, one debit, one end.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import type { Address, Hash } from 'viem'
import { findAll } from '../../gateway/store/writes.ts'
import { sumOf } from '../../plugins/gas-relay/tank/journal-entry.ts'
import { balanceOf } from '../../plugins/gas-relay/tank/tank.ts'
import { isOver } from '../../plugins/gas-relay/transactions/transaction.ts'
import type { Named } from '../support/killing.ts'
import { until } from '../support/processes.ts'
import { signBatch, startDelegationChain, transfer, type DelegationChain } from '../support/relay/delegation.ts'
import { openRelayRig, ORGANIZATION, TANK, TANK_WEI } from '../support/relay/relay-rig.ts'
import type { RelayWork } from '../support/relay/relay-worker.ts'
import { submissionOf } from '../support/relay/submissions.ts'
import { relayerAccount } from '../support/sending.ts'

const run = promisify(execFile)
const WORKER = join(import.meta.dirname, '../support/relay/relay-worker.ts')
const PAYEE = '0x00000000000000000000000000000000000000bb'
/** Twenty by hand: `KEYSTEAD_TEST_ROUNDS=20`. */
const ROUNDS = Number(process.env.KEYSTEAD_TEST_ROUNDS ?? 1)
/** Those that every run has: 20 without being told of what follows each other quickly. */
const EFFECTS_MIN = 20
/** Processes at once. */
const LANES = 2

let chain: DelegationChain
let folder: string
test.before(async () => {
  chain = await startDelegationChain()
  folder = mkdtempSync(join(tmpdir(), 'ks-relay-crash-'))
})
test.after.always(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function prepare(relayer: string, place: number | Named): Promise<{ work: RelayWork; account: Address }> {
  await chain.client.setBalance({ address: relayerAccount(relayer).address, value: 10n ** 20n })
  const account = await chain.newAccount(1_000n)
  const batch = await signBatch(account, [transfer(chain.token, PAYEE, 1n)])
  const parameters = submissionOf(account.address, batch, await chain.authorize(account))
  const own = join(folder, relayer)
  mkdirSync(own)
  const contracts = { delegate: chain.delegate, guard: chain.guard }
  const work = { rpcUrl: chain.rpcUrl, folder: own, relayer, contracts, place, parameters }
  writeFileSync(join(own, 'work.json'), JSON.stringify(work))
  return { work, account: account.address }
}

/** @returns the number of effects, or undefined when it was killed. */
async function relayed(work: RelayWork): Promise<number | undefined> {
  try {
    const environment = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const { stdout } = await run(process.execPath, [WORKER, join(work.folder, 'work.json')], { env: environment })
    return Number(stdout)
  } catch (error) {
    if ((error as { signal?: string }).signal !== 'SIGKILL') throw error
    return undefined
  }
}

/** The next start: the same body, and then nothing but what was set aside and paid once. */
async function assertOnce(t: ExecutionContext, work: RelayWork, account: Address): Promise<void> {
  const { rpcUrl, relayer, contracts, parameters } = work
  const rig = await openRelayRig({ rpcUrls: [rpcUrl], relayerKeys: [relayer], contracts, folder: work.folder })
  try {
    const { _id: id } = await rig.send('request', parameters)
    await until(`the end of ${relayer}`, async () => {
      const row = await rig.transactions.get(id)
      return row !== undefined && isOver(row)
    })
    const { items: rows } = await rig.transactions.list(ORGANIZATION, 10, undefined)
    t.deepEqual(
      rows.map(({ phase }) => phase),
      ['confirmed'],
      relayer,
    )
    t.is(await chain.client.getTransactionCount({ address: relayerAccount(relayer).address }), 1, relayer)
    t.is(await chain.balance(account), 999n, relayer)
    const receipt = await chain.client.getTransactionReceipt({ hash: rows[0]?.closing?.gas?.hash as Hash })
    const cost = receipt.gasUsed * receipt.effectiveGasPrice
    const tank = await rig.tank()
    t.like(tank, { deposited: String(TANK_WEI), debited: String(cost), reserved: '0', reservations: {} }, relayer)
    await rig.tanks.flush(TANK)
    const entries = await findAll(rig.journal, { where: { tankId: TANK }, sort: 'sequence' })
    t.is(sumOf(entries, 'spent'), cost, relayer)
    t.is(sumOf(entries, 'available'), balanceOf(tank), relayer)
    t.is(entries.length, tank.entries, relayer)
  } finally {
    await rig.close()
  }
}

/** The last ones, whose numbers differ from run to run. */
const ENDING: Readonly<Record<string, Named>> = {
  'the debit of the tank': { name: 'gasRelayTanks', occurrence: 3 },
  'its line in the journal': { name: 'gasRelayJournal', occurrence: 5 },
  'the end of the row': { name: 'gasRelayTransactions confirmed', occurrence: 1 },
}

test.serial('killed after each write that ends it', async (t) => {
  t.timeout(7_200_000)
  const places = Array.from({ length: ROUNDS }, () => Object.entries(ENDING)).flat()
  for (const [i, [meaning, place]] of places.entries()) {
    const { work, account } = await prepare(`ending-${i}`, place)
    t.is(await relayed(work), undefined, `${meaning}: not killed there`)
    await assertOnce(t, work, account)
    rmSync(work.folder, { recursive: true, force: true })
  }
})

test.serial('killed after each effect', async (t) => {
  t.timeout(7_200_000)
  const whole = await prepare('whole', 0)
  const effects = (await relayed(whole.work)) ?? 0
  t.true(effects >= EFFECTS_MIN, `${effects} effects`)
  await assertOnce(t, whole.work, whole.account)
  const places = Array.from({ length: ROUNDS * effects }, (_, i) => i)
  const killed = Array.from({ length: effects + 1 }, () => 0)
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (const i of places.filter((each) => each % LANES === lane)) {
        const place = (i % effects) + 1
        const { work, account } = await prepare(`point-${place}-${i}`, place)
        if ((await relayed(work)) === undefined) killed[place] = (killed[place] ?? 0) + 1
        await assertOnce(t, work, account)
        rmSync(work.folder, { recursive: true, force: true })
      }
    }),
  )
  t.log(`${effects} effects, killed at each: ${killed.slice(1).join(' ')}`)
  t.true(killed.slice(1, EFFECTS_MIN + 1).every((count) => count === ROUNDS))
})
