/** The window of `timestampMs` where it is set: over all that changes something at the relay, and over nothing else. */
import test from 'ava'
import { startRelayingService, type Answer } from '../support/relay/relaying-service.ts'

const AGE_MAX_MS = 3_600_000

test('a submission, a cancel and a deposit have to be of now; reads may be old', async (t) => {
  const relay = await startRelayingService({ KEYSTEAD_TIMESTAMP_AGE_MAX_MS: String(AGE_MAX_MS) })
  t.teardown(() => relay.dispose())
  const batch = { calls: [{ to: relay.token }], nonce: '0', deadline: '0', signature: `0x${'00'.repeat(65)}` }
  const parameters = { caip2: 'eip155:1', from: relay.token, batch }
  const type = 'ACTIVITY_TYPE_RELAY_CANCEL_TRANSACTION'
  const said = async (timestampMs: string) => {
    const answers: Answer<object>[] = [
      await relay.submit(parameters, timestampMs),
      await relay.post('cancel_transaction', { type, timestampMs, id: 'none' }),
      await relay.deposit({ timestampMs, amount: '5', reference: `invoice ${timestampMs}` }),
      await relay.post('get_balance', { timestampMs }),
    ]
    return answers.map(({ json }) => reasonOf(json))
  }
  const now = Date.now()
  const fresh = ['relay_chain_not_supported', 'relay_transaction_not_found', undefined, undefined]
  const stale = ['INVALID_TIME', 'INVALID_TIME', 'INVALID_TIME', undefined]
  t.deepEqual(await said(String(now)), fresh)
  t.deepEqual(await said(String(now - AGE_MAX_MS)), stale)
  t.deepEqual(await said(String(now + AGE_MAX_MS)), stale)
})

function reasonOf(json: object): unknown {
  const { turnkeyErrorCode, details } = json as { turnkeyErrorCode?: string; details?: { reason?: string }[] }
  return turnkeyErrorCode ?? details?.[0]?.reason
}
