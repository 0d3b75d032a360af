/**
 * A worker is killed with SIGKILL after steps of a settlement that a gateway has claimed and left: another worker carries it on,
 * and the next gateway says that it was paid, once. In one process all steps are met: `x402-steps.test.ts`.
 */
import test from 'ava'
import { startBacking, stopChild } from '../support/distributed.ts'
import { until } from '../support/processes.ts'
import { haveServers } from '../support/servers.ts'
import { startMortalService } from '../support/x402/mortal-service.ts'
import { body1, pay, PRICE, SELLER } from '../support/x402/payments.ts'

/** What a worker does to store, signer and chain with a settlement that was claimed, in its order. */
const STEPS = {
  'node answered eth_call': 'judged again',
  'x402GasBooks held': 'cost set aside in the budget',
  'x402Settlements sending': 'set aside, as the settlement has it',
  'chainSends accepted': 'handed to the sending engine',
  'chainLanes given': 'nonce taken',
  'chainSends claimed, untold': 'nonce stored with the send',
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
  'chainSends final, untold': 'finality recorded',
  'x402Settlements final': 'end recorded',
  'chainLanes empty': 'nonce left behind',
  'x402GasBooks empty': 'budget corrected',
} as const
/** Without being asked for more, those between which most may go wrong: a step takes a quarter of a minute. */
const USUAL: readonly string[] = [
  'x402GasBooks held',
  'chainSends claimed, to be signed, untold',
  'signer answered',
  'node answered eth_sendRawTransaction',
  'chainSends included, untold',
]
/** By hand: `KEYSTEAD_TEST_ROUNDS=20`, kills after each of all steps so often. */
const ROUNDS = Number(process.env['KEYSTEAD_TEST_ROUNDS'] ?? 0)
/** A step that comes late, or not at all this time, is tried again. */
const TRIES_MAX = 3
/** A job that a killed worker had is given to another one after half a minute. */
const RECOVERY_MS = 180_000

if (haveServers(test, 'worker faults of settlements', 'mongodb', 'redis')) {
  test('SIGKILL of a worker after steps of a settlement: paid once', async (t) => {
    t.timeout(1_200_000 * Math.max(1, ROUNDS))
    const backing = await startBacking()
    t.teardown(() => backing.dispose())
    const paying = await startMortalService(backing)
    t.teardown(() => paying.dispose())
    const { chain, buyer } = paying
    let settled = 0
    const all = Object.entries(STEPS)
    const usual = all.filter(([effect]) => USUAL.includes(effect))
    const steps = ROUNDS === 0 ? usual : Array.from({ length: ROUNDS }, () => all).flat()
    const kills: Record<string, number> = {}
    const killed = async (effect: string, meaning: string) => {
      const body = body1(chain, await pay(chain, buyer))
      await paying.dieAfter('x402Settlements claimed')
      t.is(await paying.post('settle', body).catch(() => undefined), undefined)
      await paying.gateway.ended
      await paying.sacrificeWorker(effect)
      const died = paying.effects().at(-1) === effect

      const other = await paying.startWorker()
      settled++
      const isPaid = async () => (await chain.balance(SELLER)) === PRICE * BigInt(settled)
      await until(`the payment after: ${meaning}`, isPaid, RECOVERY_MS)
      await paying.restart()
      const isTold = async () => {
        const { json } = await paying.post('settle', body)
        if (json['success'] !== true) t.is(json['errorReason'], 'x402_settlement_in_flight', meaning)
        return json['success'] === true
      }
      await until(`the answer after: ${meaning}`, isTold, RECOVERY_MS)
      t.is(await chain.balance(SELLER), PRICE * BigInt(settled), meaning)
      t.is(await chain.client.getTransactionCount({ address: paying.relayer }), settled, meaning)
      await stopChild(other)
      return died
    }
    for (const [effect, meaning] of steps) {
      let tries = 1
      while (!(await killed(effect, meaning)) && tries <= TRIES_MAX) tries++
      t.true(tries <= TRIES_MAX, `${meaning}: not reached`)
      kills[effect] = (kills[effect] ?? 0) + 1
    }
    t.log(kills)
  })
}
