/**
 * kill -9 after everything that the sending engine does to store, signer and chain. What comes after it sends the same
 * key again and another one, and ends in exactly one transaction for each.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { toHex } from 'viem'
import { startLocalChain, type LocalChain } from '../support/local-chain.ts'
import { until } from '../support/processes.ts'
import { openRig, relayerAccount, requestOf } from '../support/sending.ts'
import { fuzzCount } from '../support/seeded-random.ts'

const run = promisify(execFile)
const WORKER = join(import.meta.dirname, '../support/sending-worker.ts')
const KEYS = ['first', 'second']
/** Those that every run has: 12 without being told of. */
const KILLS_MIN = 15
/** Processes at once. */
const LANES = 2

let chain: LocalChain
let folder: string
test.before(async () => {
  chain = await startLocalChain()
  folder = mkdtempSync(join(tmpdir(), 'ks-crash-'))
})
test.after.always(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** @returns the number of effects, or undefined when it was killed. */
async function work(relayer: string, place: number): Promise<number | undefined> {
  await chain.client.setBalance({ address: relayerAccount(relayer).address, value: 10n ** 20n })
  const own = mkdtempSync(join(folder, 'w-'))
  const args = [WORKER, chain.rpcUrl, own, relayer, String(place)]
  try {
    const effects = Number((await run(process.execPath, args)).stdout)
    await recover(relayer, own)
    return effects
  } catch (error) {
    if ((error as { signal?: string }).signal !== 'SIGKILL') throw error
    return await recover(relayer, own)
  }
}

/** The next start, which sends the same keys again. */
async function recover(relayer: string, own: string): Promise<undefined> {
  const sender = { relayerKeys: [relayer] }
  const rig = await openRig({ rpcUrls: [chain.rpcUrl], folder: own, sender, settings: { finalityDepth: 0 } })
  try {
    for (const key of KEYS) await rig.sender.send(requestOf(`${relayer} ${key}`))
    // Anvil answers before it has mined.
    await until(`the end of what ${relayer} sends`, async () => {
      await rig.sender.look()
      const records = await Promise.all(KEYS.map((key) => rig.sender.get(`${relayer} ${key}`)))
      return records.every((record) => record?.state === 'final')
    })
  } finally {
    await rig.close()
  }
  return undefined
}

/** What the chain has of a relayer, by data. */
async function mined(relayer: string): Promise<string[]> {
  const { address } = relayerAccount(relayer)
  const height = await chain.client.getBlockNumber()
  const blocks = await Promise.all(
    Array.from({ length: Number(height) + 1 }, (_, blockNumber) =>
      chain.client.getBlock({ blockNumber: BigInt(blockNumber), includeTransactions: true }),
    ),
  )
  const sent = blocks.flatMap(({ transactions }) => transactions)
  return sent.filter(({ from }) => from.toLowerCase() === address.toLowerCase()).map(({ input }) => input)
}

async function assertOnce(t: ExecutionContext, relayer: string): Promise<void> {
  t.deepEqual((await mined(relayer)).toSorted(), KEYS.map((key) => toHex(`${relayer} ${key}`)).toSorted(), relayer)
}

test('killed after each effect', async (t) => {
  t.timeout(600_000)
  const effects = (await work('whole', 0)) ?? 0
  t.true(effects >= 12, `${effects} effects`)
  // Point 0 lives to its end, as the one above.
  const relayers = Array.from({ length: fuzzCount(1) * (effects + 1) }, (_, i) => `point ${i}`)
  let killed = 0
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (const [i, relayer] of relayers.entries()) {
        if (i % LANES === lane && (await work(relayer, i % (effects + 1))) === undefined) killed++
      }
    }),
  )
  for (const relayer of relayers) await assertOnce(t, relayer)
  t.log(`${effects} effects, ${killed} kills`)
  // States that follow each other quickly are told together, so some runs have fewer effects than the first.
  t.true(killed >= KILLS_MIN)
})
