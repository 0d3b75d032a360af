/** Which endpoint's word counts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { RpcUnavailableError } from '../../../gateway/chains/chain.ts'
import { ChainReader } from '../../../gateway/chains/rpc/chain-reader.ts'
import { RpcRefusalError } from '../../../gateway/chains/rpc/endpoint.ts'
import { RpcPool } from '../../../gateway/chains/rpc/pool.ts'

const CHAIN_ID = 84_532
const quota = { code: -32_000, message: 'daily request count exceeded' }
const reverted = { code: 3, message: 'execution reverted', data: '0x01' }
const revertedOtherwise = { code: -32_015, message: 'VM execution error: Reverted 0x01' }
const missing = { code: -32_601, message: 'the method does not exist' }

type Said = { result: unknown } | { error: object } | undefined

const ownChain: Said = { result: `0x${CHAIN_ID.toString(16)}` }

/** An endpoint that says the same to everything but its chain; undefined: nothing that can be read. */
async function endpoint(t: ExecutionContext, said: Said, chain = (): Said => ownChain): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(body)
      const answer = method === 'eth_chainId' ? chain() : said
      response.end(answer === undefined ? 'gone' : JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function asked(t: ExecutionContext, ...said: Said[]): Promise<unknown> {
  const urls = await Promise.all(said.map((each) => endpoint(t, each)))
  return new RpcPool(urls, CHAIN_ID).request('eth_call').catch((error: unknown) => error)
}

test('what one endpoint cannot say, the next is asked', async (t) => {
  t.is(await asked(t, { error: quota }, { result: '0x1' }), '0x1')
  t.is(await asked(t, undefined, { result: '0x2' }), '0x2')
  t.is(await asked(t, { result: null }, { result: '0x3' }), null)
})

test('that a call reverts is the answer, whatever code it comes with', async (t) => {
  for (const error of [reverted, revertedOtherwise]) {
    const answer = await asked(t, { error }, { result: '0x1' })
    t.true(answer instanceof RpcRefusalError)
    t.like(answer, { code: error.code })
  }
})

test('without a result the first no counts, and silence only when all are silent', async (t) => {
  t.like(await asked(t, { error: quota }, { error: missing }), { name: 'RpcRefusalError', code: quota.code })
  t.like(await asked(t, undefined, { error: missing }), { name: 'RpcRefusalError', code: missing.code })
  t.true((await asked(t, undefined, undefined)) instanceof RpcUnavailableError)
})

test('a no to what every chain has an answer to is the node’s own trouble', async (t) => {
  for (const error of [quota, missing]) {
    const reader = new ChainReader(new RpcPool([await endpoint(t, { error })], CHAIN_ID))
    const address = `0x${'12'.repeat(20)}` as const
    const asks: (() => Promise<unknown>)[] = [
      () => reader.head(),
      () => reader.blockHashAt(1),
      () => reader.lowestHeight('latest'),
      () => reader.transactionCount(address, 'latest'),
      () => reader.agreedTransactionCount(address, 1),
      () => reader.balance(address),
      () => reader.receipt(`0x${'34'.repeat(32)}`),
      () => reader.feeMarket(1),
    ]
    for (const ask of asks) await t.throwsAsync(ask, { instanceOf: RpcUnavailableError }, String(ask))
  }
})

test('a receipt that says neither yes nor no is no receipt', async (t) => {
  const word = `0x${'34'.repeat(32)}` as const
  const receipt = {
    transactionHash: word,
    blockHash: word,
    blockNumber: '0x1',
    gasUsed: '0x1',
    effectiveGasPrice: '0x1',
  }
  const statusOf = async (status: string) => {
    const result = { ...receipt, status, logs: [] }
    const reader = new ChainReader(new RpcPool([await endpoint(t, { result })], CHAIN_ID))
    return (await reader.receipt(word))?.status
  }
  t.is(await statusOf('0x1'), 'success')
  t.is(await statusOf('0x0'), 'reverted')
  for (const status of ['0x', '0x2', '1', 'yes']) {
    await t.throwsAsync(statusOf(status), { instanceOf: RpcUnavailableError }, status)
  }
})

test('an endpoint that does not say its chain is no reason not to start, and is asked nothing until it does', async (t) => {
  for (const silence of [undefined, { result: null }, { result: 'x' }, { result: '0x' }, { error: reverted }]) {
    let said: Said = silence
    const pool = new RpcPool([await endpoint(t, { result: '0x1' }, () => said)], CHAIN_ID)
    await pool.checkChain()
    const name = 'RpcUnavailableError'
    await t.throwsAsync(pool.request('eth_call'), { name }, JSON.stringify(silence))
    said = ownChain
    t.is(await pool.request('eth_call'), '0x1')
  }
})

test('an endpoint of another chain is one', async (t) => {
  const pool = new RpcPool([await endpoint(t, undefined, () => ({ result: '0x1' }))], CHAIN_ID)
  await t.throwsAsync(pool.checkChain(), { name: 'WrongChainError' })
})
