/** What anvil strands is sent anew, and what was mined meanwhile is not. */
import test from 'ava'
import type { Hash, TransactionReceipt } from 'viem'
import { mined } from '../../../cli/mined.ts'
import { localChain } from '../../support/local-chain.ts'

test('a transaction that nobody mines is dropped and sent anew', async (t) => {
  const { client, owner } = await localChain(t, { flags: ['--no-mining'] })
  const sent: Hash[] = []
  const receipt = await mined(client, async () => {
    const hash = await client.sendTransaction({ to: owner, value: BigInt(sent.length), account: owner, chain: null })
    if (sent.push(hash) === 2) await client.mine({ blocks: 1 })
    return hash
  })
  t.is(sent.length, 2)
  t.is(receipt.transactionHash, sent[1] as Hash)
  t.is(await client.getTransactionCount({ address: owner }), 1)
})

test('one that was mined when it was to be dropped is not sent again', async (t) => {
  const { client, owner } = await localChain(t, { flags: ['--no-mining'] })
  let sends = 0
  const late = {
    waitForTransactionReceipt: (wanted: { hash: Hash; timeout: number }) => client.waitForTransactionReceipt(wanted),
    getTransactionReceipt: (wanted: { hash: Hash }): Promise<TransactionReceipt> =>
      client.getTransactionReceipt(wanted),
    dropTransaction: () => client.mine({ blocks: 1 }),
  }
  const receipt = await mined(late, () => {
    sends++
    return client.sendTransaction({ to: owner, value: 1n, account: owner, chain: null })
  })
  t.is(sends, 1)
  t.is(receipt.status, 'success')
})
