/**
 * The reference facilitator of x402 in a process of its own, wired as in its samples: `@x402/core` with `@x402/evm`, versions 1
 * and 2, one relayer account. Prints its address. `node x402-reference.ts RPC_URL PRIVATE_KEY [nonce-manager]`: with a nonce
 * manager of viem's, which the samples do not have.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, publicActions, type Hex } from 'viem'
import { nonceManager, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'

const [rpcUrl = '', privateKey = '', managed] = process.argv.slice(2)
const account = privateKeyToAccount(privateKey as Hex, managed === undefined ? {} : { nonceManager })
const chain = { ...baseSepolia, contracts: {} }
const client = createWalletClient({ account, chain, transport: http(rpcUrl), pollingInterval: 100 }).extend(
  publicActions,
)
const signer = toFacilitatorEvmSigner({
  address: account.address,
  getCode: (args) => client.getCode(args),
  readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
  verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
  writeContract: (args) => client.writeContract({ ...args, args: args.args ?? [] }),
  sendTransaction: (args) => client.sendTransaction(args),
  waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
})
const facilitator = new x402Facilitator()
registerExactEvmScheme(facilitator, { signer, networks: 'eip155:84532' })

async function answer(request: IncomingMessage): Promise<object> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const { paymentPayload, paymentRequirements } = JSON.parse(Buffer.concat(parts).toString()) as never
  const isVerify = request.url === '/verify'
  const work: Promise<object> = isVerify
    ? facilitator.verify(paymentPayload, paymentRequirements)
    : facilitator.settle(paymentPayload, paymentRequirements)
  return work.catch(() => ({ success: false, isValid: false }))
}

const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json')
  void answer(request).then((answered) => response.end(JSON.stringify(answered)))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}`)
})
