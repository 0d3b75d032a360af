/**
 * The gateway is killed while it settles, at moments drawn at random over the time that a settlement takes. Afterwards
 * each payment was made once, and repeating the request says so; what was paid is never reported as failed.
 */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { killAll, processesOf, until } from '../support/processes.ts'
import { SeededRandom, seedOfRun } from '../support/seeded-random.ts'
import { startPayingService } from '../support/x402/paying-service.ts'
import { body1, pay, PRICE, SELLER } from '../support/x402/payments.ts'

/** Twenty and more by hand: `KEYSTEAD_TEST_ROUNDS=20`. */
const ROUNDS = Number(process.env.KEYSTEAD_TEST_ROUNDS ?? 6)
const LONGEST_MS = 200

test('killed at any moment of a settlement: paid once, and the repeat says so', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const paying = await startPayingService()
  t.teardown(() => paying.dispose())
  const { chain, buyer, service } = paying
  const found: Record<string, number> = {}
  for (let round = 1; round <= ROUNDS; round++) {
    const body = body1(chain, await pay(chain, buyer))
    const first = paying.post('settle', body).catch(() => undefined)
    await sleep(random.below(LONGEST_MS))
    const { gateway } = processesOf(service)
    if (gateway === undefined) return t.fail('no gateway to kill')
    killAll([gateway])
    const answer = await first
    const place =
      answer === undefined ? phaseOf(service.dataDir, body.paymentPayload.payload.authorization.nonce) : 'told'
    found[place] = (found[place] ?? 0) + 1
    await until('the gateway is back', () => answers(service.dev.baseUrl))
    await until(`round ${round} is paid`, async () => {
      const { json } = await paying.post('settle', body)
      // Under way, or not claimed by the one that was killed: anything else would be a payment called failed.
      if (json['success'] !== true) t.is(json['errorReason'], 'x402_settlement_in_flight')
      return json['success'] === true
    })
    t.is(await paying.balance(SELLER), PRICE * BigInt(round))
    t.is(await paying.transfers(), round)
  }
  t.log(found)
})

async function answers(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Where the settlement was left, from the file of the store. */
function phaseOf(dataDir: string, nonce: string): string {
  const database = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true })
  try {
    const rows = database
      .prepare('SELECT * FROM x402Settlements')
      .all()
      .map((row) => JSON.stringify(row))
    const row = rows.find((text) => text.includes(nonce))
    return row === undefined ? 'nothing' : (/\\"phase\\":\\"(\w+)\\"/.exec(row)?.[1] ?? row)
  } finally {
    database.close()
  }
}
