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

const STEPS = {
  'x402GasBooks held': 'cost set aside in the budget',
  'chainSends claimed, to be signed, untold': 'fields to be signed stored',
  'signer answered': 'signature received',
  'node answered eth_sendRawTransaction': 'broadcast, the answer not read',
  'chainSends included, untold': 'block recorded',
} as const
/** By hand: `KEYSTEAD_TEST_ROUNDS=20`, kills after each step so often. */
const ROUNDS = Number(process.env['KEYSTEAD_TEST_ROUNDS'] ?? 1)
/** A job that a killed worker had is given to another one after half a minute. */
const RECOVERY_MS = 180_000

if (haveServers(test, 'worker faults of settlements', 'mongodb', 'redis')) {
  test('SIGKILL of a worker after steps of a settlement: paid once', async (t) => {
    t.timeout(1_200_000 * ROUNDS)
    const backing = await startBacking()
    t.teardown(() => backing.dispose())
    const paying = await startMortalService(backing)
    t.teardown(() => paying.dispose())
    const { chain, buyer } = paying
    let settled = 0
    const steps = Array.from({ length: ROUNDS }, () => Object.entries(STEPS)).flat()
    for (const [effect, meaning] of steps) {
      const body = body1(chain, await pay(chain, buyer))
      await paying.dieAfter('x402Settlements claimed')
      t.is(await paying.post('settle', body).catch(() => undefined), undefined)
      await paying.gateway.ended
      await paying.sacrificeWorker(effect)
      t.is(paying.effects().at(-1), effect, `${meaning}: the worker was killed there`)

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
    }
    t.log(`${settled} settlements`)
  })
}
