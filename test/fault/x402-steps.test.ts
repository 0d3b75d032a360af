/**
 * A real gateway is killed with SIGKILL right after each step of a settlement, by the name of the step. The next one carries
 * it on: paid once, one broadcast, the repeat says so, and what was paid is never reported as failed. Beside it,
 * `x402-crash.test.ts` kills at random moments.
 */
import test, { type ExecutionContext } from 'ava'
import { until } from '../support/processes.ts'
import { startMortalService, type MortalService } from '../support/x402/mortal-service.ts'
import { body1, pay, PRICE, SELLER } from '../support/x402/payments.ts'

/** By hand: `KEYSTEAD_TEST_ROUNDS=20`, kills at each step so often. */
const ROUNDS = Number(process.env['KEYSTEAD_TEST_ROUNDS'] ?? 1)

/** What a settlement does to store, signer and chain, in its order: the effect's name, and what it is. */
const STEPS = {
  'node answered eth_estimateGas': 'judged, nothing written yet',
  'x402Settlements claimed': 'claim stored',
  'x402GasBooks held': 'cost set aside in the budget',
  'x402Settlements sending': 'set aside, as the settlement has it',
  'chainSends accepted': 'handed to the sending engine',
  'chainLanes given': 'nonce taken',
  'chainSends claimed, untold': 'nonce stored with the send',
  'node answered eth_call': 'verified again, just before signing',
  'chainSends claimed, to be signed, untold': 'fields to be signed stored',
  'activities accepted': 'signing activity stored',
  'signer asked': 'signature asked for',
  'signer answered': 'signature received',
  receipts: 'receipt of the signature stored',
  'activities completed': 'end of the signing activity stored',
  'chainSends signed, untold': 'signed bytes stored',
  'node answered eth_sendRawTransaction': 'broadcast, the answer not read',
  'chainSends broadcast, untold': 'broadcast recorded',
  'node answered eth_getTransactionReceipt': 'receipt seen',
  'chainSends included, untold': 'block recorded',
  'x402Settlements settled': 'success recorded',
  'x402Settlements settled, reported': 'success recorded as told, not told',
  'chainSends final, untold': 'finality recorded',
  'chainLanes empty': 'nonce left behind',
  'x402Settlements final, reported': 'end recorded',
  'x402GasBooks empty': 'budget corrected',
  'chainSends final': 'engine knows that all was told',
} as const

/** Seen when one thing is slower than another; they are killed at when they come. */
const SOMETIMES = [
  'chainSends claimed',
  'chainSends claimed, to be signed',
  'chainSends signed',
  'chainSends broadcast',
  'chainSends included',
  'x402Settlements final',
]

/** A step that comes late, or not at all this time, is tried again. */
const TRIES_MAX = 5
const LATE_MS = 4_000

let paying: MortalService
test.before(async () => {
  paying = await startMortalService()
})
test.after.always(() => paying.dispose())

test('killed after each step of a settlement: paid once, and the repeat says so', async (t) => {
  t.timeout(ROUNDS * 240_000)
  await assertStepsAreKnown(t)
  const kills: Record<string, number> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const [effect, meaning] of Object.entries(STEPS)) {
      let tries = 1
      while (!(await killAfter(t, effect)) && tries <= TRIES_MAX) tries++
      t.true(tries <= TRIES_MAX, `${meaning}: not reached`)
      kills[effect] = (kills[effect] ?? 0) + 1
    }
  }
  t.log(kills)
  await assertBooks(t)
})

/** Where the settlements of this test have come so far. */
let settled = 0

/** A step that has no name here would be killed at by nobody. */
async function assertStepsAreKnown(t: ExecutionContext): Promise<void> {
  await paying.dieAfter('')
  const { json } = await paying.post('settle', body1(paying.chain, await pay(paying.chain, paying.buyer)))
  t.true(json['success'])
  settled++
  const seen = () => new Set(paying.effects())
  await until('the last step of a whole settlement', () => Object.keys(STEPS).every((effect) => seen().has(effect)))
  const unknown = [...seen()].filter((effect) => !Object.hasOwn(STEPS, effect) && !SOMETIMES.includes(effect))
  t.deepEqual(unknown, [])
}

/** @returns whether the gateway died there; either way the payment has been made once afterwards. */
async function killAfter(t: ExecutionContext, effect: string): Promise<boolean> {
  const body = body1(paying.chain, await pay(paying.chain, paying.buyer))
  await paying.dieAfter(effect)
  const told = await paying.post('settle', body).catch(() => undefined)
  if (told !== undefined) t.true(told.json['success'], `after ${effect}: ${JSON.stringify(told.json)}`)
  const died = await endsWithin(paying.gateway.ended, LATE_MS)
  if (!died) paying.gateway.process.kill('SIGKILL')
  await paying.gateway.ended
  settled++
  await paying.restart()
  const hash = await repeated(t, effect, body)
  if (told !== undefined) t.is(hash, told.json['transaction'] as string, `after ${effect}`)
  const receipt = await paying.chain.client.getTransactionReceipt({ hash: hash as `0x${string}` })
  t.is(receipt.status, 'success')
  await assertPaidOnce(t, effect)
  return died
}

/** @returns the hash, once the repeat says that it was paid. */
async function repeated(t: ExecutionContext, effect: string, body: object): Promise<string> {
  let hash = ''
  await until(`the repeat after ${effect}`, async () => {
    const { json } = await paying.post('settle', body)
    // Under way: anything else would be a payment called failed.
    if (json['success'] !== true) t.is(json['errorReason'], 'x402_settlement_in_flight', effect)
    else hash = json['transaction'] as string
    return hash !== ''
  })
  return hash
}

/** The seller's balance, and everything that the relayer has ever sent. */
async function assertPaidOnce(t: ExecutionContext, effect: string): Promise<void> {
  t.is(await paying.chain.balance(SELLER), PRICE * BigInt(settled), effect)
  t.is(await paying.chain.client.getTransactionCount({ address: paying.relayer }), settled, effect)
}

/** The store is the gateway's alone while one runs. */
async function isOver(): Promise<boolean> {
  await paying.stop()
  const documents = paying.documents<{ phase: string }>('x402Settlements')
  const [book] = paying.documents<{ held: object }>('x402GasBooks')
  const isFinal = documents.length === settled && documents.every(({ phase }) => phase === 'final')
  const untold = paying.documents<{ untold: number }>('chainSends').filter((send) => send.untold === 1)
  const isAll = isFinal && untold.length === 0 && Object.keys(book?.held ?? {}).length === 0
  if (!isAll) await paying.restart()
  return isAll
}

/** Everything has come to its end, and the budget says what the chain says. */
async function assertBooks(t: ExecutionContext): Promise<void> {
  await until('the end of all settlements', () => isOver())
  const documents = paying.documents<{ transaction: string; cost: string }>('x402Settlements')
  t.is(new Set(documents.map(({ transaction }) => transaction)).size, settled)
  let paid = 0n
  for (const { transaction, cost } of documents) {
    const receipt = await paying.chain.client.getTransactionReceipt({ hash: transaction as `0x${string}` })
    t.is(BigInt(cost), receipt.gasUsed * receipt.effectiveGasPrice)
    paid += BigInt(cost)
  }
  const [book] = paying.documents<{ days: Record<string, string> }>('x402GasBooks')
  const spent = Object.values(book?.days ?? {}).reduce((sum, amount) => sum + BigInt(amount), 0n)
  t.is(spent, paid)
}

function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  void ended.then(() => resolve(true))
  return promise.finally(() => clearTimeout(timer))
}
