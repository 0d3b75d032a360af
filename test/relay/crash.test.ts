/** The gateway is killed while a relay transaction is under way: it is mined once and paid once. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { killAll, processesOf } from '../support/processes.ts'
import { signBatch, transfer } from '../support/relay/delegation.ts'
import { startRelayingService, type Transaction } from '../support/relay/relaying-service.ts'
import { submissionOf } from '../support/relay/submissions.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'

test('killed before the block, and right after a request was sent', async (t) => {
  const relay = await startRelayingService()
  t.teardown(() => relay.dispose())
  let debited = 0n
  for (const waitsForAnswer of [true, false]) {
    const account = await relay.newAccount()
    const batch = await signBatch(account, [transfer(relay.token, PAYEE, 1n)])
    const { delegateAddress: address } = relay.relay
    const authorization = await account.signAuthorization({ address, chainId: 84_532, nonce: 0 })
    const parameters = submissionOf(account.address, batch, authorization)
    await relay.client.setAutomine(false)
    const asked = relay.submit(parameters, '1').catch(() => undefined)
    if (waitsForAnswer) t.is((await asked)?.status, 200)
    else await sleep(30)
    const { gateway } = processesOf(relay.service)
    if (gateway === undefined) return t.fail()
    killAll([gateway])
    await asked
    await relay.client.setAutomine(true)
    const again = await answered(() => relay.submit(parameters, '1'))
    await relay.client.mine({ blocks: 1 })
    const end = await relay.until(again.id, ['confirmed', 'failed', 'expired'])
    t.is(end.status, 'confirmed')
    t.is(await relay.tokens(account.address), 999n)
    t.is(await relay.client.getTransactionCount({ address: account.address }), 1)
    debited += BigInt(end.cost ?? 0)
    t.like(await relay.balance(), { debited: String(debited), reserved: '0' })
  }
  const address = relay.relay.relayerAddress
  t.is(await relay.client.getTransactionCount({ address }), 2)
})

/** As soon as the gateway is there again. */
async function answered(ask: () => Promise<{ status: number; json: Transaction }>): Promise<Transaction> {
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return answer.json
    await sleep(100)
  }
}
