/**
 * An account without ETH moves tokens: it signs an EIP-7702 authorization and a batch, the relay sends them and the
 * tank of its organization pays. Needs nothing but `npm start` in another terminal:
 *
 *   npx node examples/relay/main.ts [dev.json]
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, encodeFunctionData, http, parseAbi, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { relayClient, type Credentials } from './relay-client.ts'

interface DevJson extends Credentials {
  chain: { rpcUrl: string; chainId: number }
  relay: { delegateAddress: Address }
  x402: { asset: Address; buyerPrivateKey: Hex }
}

const ENDS = new Set(['confirmed', 'failed', 'expired'])
const PAYEE: Address = '0x00000000000000000000000000000000000000bb'
const tokenAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])
const delegateAbi = parseAbi(['function getNonce(uint192 row) view returns (uint256)'])

const dev = JSON.parse(readFileSync(process.argv[2] ?? 'data/dev.json', 'utf8')) as DevJson
const { chainId, rpcUrl } = dev.chain
const delegate = dev.relay.delegateAddress
const client = createPublicClient({ transport: http(rpcUrl) })
const relay = relayClient(dev)
// Of development mode: it has tokens and no ETH.
const account = privateKeyToAccount(dev.x402.buyerPrivateKey)

const isDelegated = (await client.getCode({ address: account.address })) !== undefined
const nonce = isDelegated
  ? await client.readContract({ address: account.address, abi: delegateAbi, functionName: 'getNonce', args: [0n] })
  : 0n
const transfer = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [PAYEE, 1_000_000n] })
const batch = {
  calls: [{ to: dev.x402.asset, value: 0n, data: transfer }],
  nonce,
  deadline: BigInt(Math.floor(Date.now() / 1_000) + 600),
}
const signature = await account.signTypedData({
  domain: { name: 'Keystead Batch', version: '1', chainId, verifyingContract: account.address },
  types: {
    Batch: [
      { name: 'calls', type: 'Call[]' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
    Call: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
  primaryType: 'Batch',
  message: batch,
})

let transaction = await relay('submit_transaction', {
  timestampMs: String(Date.now()),
  parameters: {
    caip2: `eip155:${chainId}`,
    from: account.address,
    ...(isDelegated ? {} : { authorization: await authorization() }),
    batch: {
      calls: batch.calls.map((call) => ({ ...call, value: String(call.value) })),
      nonce: String(nonce),
      deadline: String(batch.deadline),
      signature,
    },
  },
})
while (!ENDS.has(String(transaction['status']))) {
  await sleep(200)
  transaction = await relay('get_transaction', { id: transaction['id'] })
}
console.log(transaction)
console.log('ETH of the account:', await client.getBalance({ address: account.address }))
console.log(await relay('get_balance', {}))

/** Sponsored, so with the account's own nonce as it is. */
async function authorization(): Promise<object> {
  const accountNonce = await client.getTransactionCount({ address: account.address })
  const signed = await account.signAuthorization({ address: delegate, chainId, nonce: accountNonce })
  const { address, r, s, yParity } = signed
  return { chainId, address, nonce: String(accountNonce), yParity, r, s }
}
