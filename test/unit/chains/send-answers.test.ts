/** What a real node answers to `eth_sendRawTransaction`, read from the wire as the engine reads it. */
import test from 'ava'
import type { Hex } from 'viem'
import { RpcUnavailableError } from '../../../gateway/chains/chain.ts'
import { RpcRefusalError } from '../../../gateway/chains/rpc/endpoint.ts'
import { RpcPool } from '../../../gateway/chains/rpc/pool.ts'
import { ChainReader } from '../../../gateway/chains/rpc/chain-reader.ts'
import { meaningOf, type SendAnswer } from '../../../gateway/chains/sending/send-answers.ts'
import { localChain } from '../../support/local-chain.ts'
import { GWEI, relayerAccount } from '../../support/sending.ts'
import { StrictNode } from '../../support/strict-node.ts'

const account = relayerAccount('one')

interface Offer {
  nonce?: number
  gas?: bigint
  value?: bigint
}

function signed(chainId: number, { nonce = 0, gas = 21_000n, value = 0n }: Offer = {}) {
  const fees = { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: GWEI }
  return account.signTransaction({ type: 'eip1559', chainId, to: account.address, nonce, gas, value, ...fees })
}

test('each refusal of the local chain is known for what it is', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  await chain.client.setBalance({ address: account.address, value: 10n ** 18n })
  const chainId = await chain.client.getChainId()
  const reader = new ChainReader(new RpcPool([chain.rpcUrl], chainId))
  const answers: [SendAnswer, Hex][] = [
    ['taken', await signed(chainId)],
    ['taken', await signed(chainId)],
    ['underpriced', await signed(chainId, { value: 1n })],
    ['no_money', await signed(chainId, { nonce: 1, value: 10n ** 20n })],
    ['invalid', await signed(chainId, { nonce: 1, gas: 20_000n })],
  ]
  for (const [answer, raw] of answers) t.is(await reader.send(raw), answer)
  await chain.client.mine({ blocks: 1 })
  t.is(await reader.send(await signed(chainId)), 'nonce_used')
})

test('a refusal without data is one, and the absence of a receipt is an answer', async (t) => {
  const { url, close } = await new StrictNode().listen()
  t.teardown(close)
  const pool = new RpcPool([url], 84_532)
  const error = await t.throwsAsync(pool.request('eth_unheardOf'), { instanceOf: RpcRefusalError })
  t.is(error?.code, -32_000)
  t.is(await pool.request('eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`]), null)
})

test('what a provider says of itself is nothing about the transaction', (t) => {
  const said: [string, SendAnswer][] = [
    ['the method eth_sendRawTransaction is not supported', 'unknown'],
    ['request rate exceeds maximum of your plan', 'unknown'],
    ['internal error', 'unknown'],
    ['transaction type not supported', 'invalid'],
    ['exceeds block gas limit', 'invalid'],
    ['INSUFFICIENT FUNDS for gas * price + value', 'no_money'],
    ['transaction underpriced: tip needed 1000000, tip permitted 1', 'below_base_fee'],
    ['in-flight transaction limit reached for delegated accounts', 'delegated'],
  ]
  for (const [message, meaning] of said) {
    t.is(meaningOf({ ok: false, error: new RpcRefusalError({ code: -32_000, message }) }), meaning, message)
  }
  t.is(meaningOf({ ok: false, error: new RpcUnavailableError('no answer') }), 'unknown')
})
