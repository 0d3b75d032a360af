/** The local chain of development mode: it ends with whoever started it, and is kept over an orderly stop. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { type ExecutionContext } from 'ava'
import { parseAbi, type Address } from 'viem'
import { startDevChain } from '../../cli/dev-chain.ts'
import { clientOf } from '../support/local-chain.ts'
import { until } from '../support/processes.ts'
import { newDataDir } from '../support/service.ts'

const ANVIL = JSON.stringify(join(import.meta.dirname, '../../cli/anvil.ts'))

async function answers(rpcUrl: string): Promise<boolean> {
  try {
    await clientOf(rpcUrl).getChainId()
    return true
  } catch {
    return false
  }
}

test('kill -9 of whoever started it ends it', async (t) => {
  const script = `import { startAnvil } from ${ANVIL}; console.log((await startAnvil()).rpcUrl); setInterval(() => {}, 1e6)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [rpcUrl] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
  t.true(await answers(rpcUrl))
  parent.kill('SIGKILL')
  await until('the end of anvil', async () => !(await answers(rpcUrl)))
})

async function devChain(t: ExecutionContext, dataDir: string) {
  const chain = await startDevChain(dataDir)
  t.teardown(() => chain.stop())
  const client = clientOf(chain.rpcUrl)
  const balanceOf = (account: Address) =>
    client.readContract({
      address: chain.token.address,
      abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [account],
    })
  return { chain, client, balanceOf }
}

test('the buyer has tokens and no ETH, on the same chain after an orderly stop', async (t) => {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true }))
  const first = await devChain(t, dataDir)
  const { buyer, token } = first.chain
  t.is(await first.balanceOf(buyer.address), 1_000_000_000n)
  t.is(await first.client.getBalance({ address: buyer.address }), 0n)
  const relayer = '0x00000000000000000000000000000000000000bb'
  await first.chain.fund(relayer)
  await first.client.mine({ blocks: 1 })
  const genesis = await first.client.getBlock({ blockNumber: 0n })
  const height = await first.client.getBlockNumber()
  await first.chain.stop()
  const second = await devChain(t, dataDir)
  t.deepEqual(second.chain.token, token)
  t.deepEqual(second.chain.buyer, buyer)
  t.is(await second.client.getBlockNumber(), height)
  t.is((await second.client.getBlock({ blockNumber: 0n })).hash, genesis.hash)
  t.is(await second.client.getBalance({ address: relayer }), 100n * 10n ** 18n)
})
