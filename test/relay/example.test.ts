/** The example as its reader runs it, against the service as its reader starts it: the first time, and once delegated. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { privateKeyToAddress } from 'viem/accounts'
import { startRelayingService } from '../support/relay/relaying-service.ts'

const run = promisify(execFile)
const example = join(import.meta.dirname, '../../examples/relay/main.ts')
const PAYEE = '0x00000000000000000000000000000000000000bb'

test('an account without ETH moves tokens, twice', async (t) => {
  const relay = await startRelayingService()
  t.teardown(() => relay.dispose())
  const devJson = join(relay.service.dataDir, 'dev.json')
  for (const units of [1_000_000n, 2_000_000n]) {
    const { stdout } = await run(process.execPath, [example, devJson])
    t.regex(stdout, /status: 'confirmed'/)
    t.regex(stdout, /ETH of the account: 0n/)
    t.is(await relay.tokens(PAYEE), units)
  }
  const address = privateKeyToAddress(relay.x402.buyerPrivateKey)
  t.is(await relay.client.getTransactionCount({ address }), 1)
})
