/** The unmodified @turnkey/ethers over both clients: whatever it signs is verified by ethers itself. */
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeySigner } from '@turnkey/ethers'
import { TurnkeyClient } from '@turnkey/http'
import test from 'ava'
import {
  AbstractProvider,
  getAddress,
  hashAuthorization,
  Network,
  parseUnits,
  Signature,
  Transaction,
  verifyAuthorization,
  verifyMessage,
  verifyTypedData,
  type PerformActionRequest,
  type TransactionLike,
} from 'ethers'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { baseUrl, organizationId, apiPublicKey, apiPrivateKey } = service.dev

type AnyClient = ConstructorParameters<typeof TurnkeySigner>[0]['client']
// The adapter declares the clients of older releases; a user of newer ones has to say the same.
const clients: Record<string, AnyClient> = {
  '@turnkey/http': new TurnkeyClient(
    { baseUrl },
    new ApiKeyStamper({ apiPublicKey, apiPrivateKey }),
  ) as unknown as AnyClient,
  '@turnkey/sdk-server': turnkeyClient(service.dev) as unknown as AnyClient,
}

let privateKeyId: string
let address: string
test.before(async () => {
  const created = await new Client(baseUrl, service.dev).createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  privateKeyId = created.privateKeyId
  address = created.addresses[0] as string
})

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const common = { to, value: 1n, nonce: 3, gasLimit: 21_000n, chainId: 84_532n }
const fees = { maxFeePerGas: parseUnits('3', 'gwei'), maxPriorityFeePerGas: parseUnits('1', 'gwei') }
const gasPrice = parseUnits('2', 'gwei')
const accessList = [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }]
const transactions: Record<string, TransactionLike> = {
  legacy: { ...common, type: 0, gasPrice },
  'EIP-2930': { ...common, type: 1, gasPrice, accessList },
  'EIP-1559': { ...common, type: 2, ...fees, data: '0xdeadbeef' },
  'EIP-1559 contract creation': { type: 2, ...fees, nonce: 0, gasLimit: 100_000n, chainId: 1n, data: '0x6000' },
  'EIP-4844': { ...common, type: 3, ...fees, maxFeePerBlobGas: 5n, blobVersionedHashes: [`0x01${'22'.repeat(31)}`] },
}

const domain = { name: 'Token', version: '2', chainId: 84_532, verifyingContract: to }
const types = {
  Transfer: [
    { name: 'to', type: 'address' },
    { name: 'amounts', type: 'uint256[]' },
    { name: 'note', type: 'Note' },
  ],
  Note: [{ name: 'text', type: 'string' }],
}
const value = { to, amounts: [1n, 2n ** 255n], note: { text: 'héllo ✓' } }

for (const [clientName, client] of Object.entries(clients)) {
  const signerOf = (signWith: string) => new TurnkeySigner({ client, organizationId, signWith })

  test(`${clientName}: getAddress by address and by key id`, async (t) => {
    t.is(await signerOf(address).getAddress(), address)
    t.is(await signerOf(privateKeyId).getAddress(), address)
    t.is(getAddress(await signerOf(address.toLowerCase()).getAddress()), address)
  })

  test(`${clientName}: signMessage, with both parities of R`, async (t) => {
    const signer = signerOf(privateKeyId)
    for (const message of ['hello', '', 'héllo ✓', Uint8Array.of(0, 255), 'x'.repeat(5_000)]) {
      const signature = await signer.signMessage(message)
      t.is(verifyMessage(message, signature), address)
      t.not(verifyMessage('another', signature), address)
    }
    const seen = new Set<number>()
    for (let i = 0; i < 64 && seen.size < 2; i++) {
      const message = `parity ${clientName} ${i}`
      const signature = await signer.signMessage(message)
      t.is(verifyMessage(message, signature), address)
      seen.add(Signature.from(signature).yParity)
    }
    t.is(seen.size, 2)
  })

  test(`${clientName}: signTypedData`, async (t) => {
    const signature = await signerOf(address).signTypedData(domain, types, value)
    t.is(verifyTypedData(domain, types, value, signature), address)
    t.not(verifyTypedData({ ...domain, chainId: 1 }, types, value, signature), address)
  })

  test(`${clientName}: signTransaction of every type`, async (t) => {
    for (const [name, transaction] of Object.entries(transactions)) {
      const signed = Transaction.from(await signerOf(address).signTransaction({ ...transaction }))
      t.is(signed.from, address, name)
      t.is(signed.unsignedSerialized, Transaction.from(transaction).unsignedSerialized, name)
    }
  })

  test(`${clientName}: an EIP-7702 transaction carries an authorization of the same key`, async (t) => {
    const request = { address: to, chainId: 84_532n, nonce: 4n }
    // The adapter has no authorize(); its signer of messages takes the payload that the wire knows.
    const payload = JSON.stringify({ address: to, chainId: 84_532, nonce: 4 })
    const signer = signerOf(address)
    const signature = await signer._signMessageWithErrorWrapping(payload, 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION')
    t.is(verifyAuthorization(request, signature), address, hashAuthorization(request))
    const authorizationList = [{ ...request, signature: Signature.from(signature) }]
    const transaction = { ...common, type: 4, ...fees, authorizationList }
    const signed = Transaction.from(await signer.signTransaction({ ...transaction }))
    t.is(signed.from, address)
    t.is(signed.unsignedSerialized, Transaction.from(transaction).unsignedSerialized)
  })

  test(`${clientName}: connect keeps the key; sendTransaction fills in, signs and sends`, async (t) => {
    const provider = new RecordingProvider()
    // The adapter's declarations name the CommonJS half of ethers, of which the classes are others to the compiler.
    const connected = signerOf(address).connect(provider as never)
    t.true(Object.is(connected.provider, provider))
    t.is(await connected.getAddress(), address)
    await connected.sendTransaction({ to, value: 7n })
    const [sent] = provider.sent
    t.like(Transaction.from(sent), { from: address, to, value: 7n, nonce: 9, chainId: 84_532n, type: 2 })
  })

  test(`${clientName}: a foreign sender and an unknown key are refused`, async (t) => {
    const foreign = signerOf(address).signTransaction({ ...transactions.legacy, from: to })
    await t.throwsAsync(foreign, { message: /address mismatch/ })
    await t.throwsAsync(signerOf(to).signMessage('x'), { message: /Failed to sign/ })
  })
}

/** As much of a chain as `sendTransaction` asks for; it records what was sent. */
class RecordingProvider extends AbstractProvider {
  readonly sent: string[] = []

  override async _detectNetwork(): Promise<Network> {
    return Network.from(84_532)
  }

  override async _perform<T>(request: PerformActionRequest): Promise<T> {
    if (request.method === 'broadcastTransaction') {
      this.sent.push(request.signedTransaction)
      return Transaction.from(request.signedTransaction).hash as T
    }
    const answer = answers[request.method]
    if (answer === undefined) throw new Error(`not asked for in this test: ${request.method}`)
    return answer as T
  }
}

const hash = `0x${'11'.repeat(32)}`
const latestBlock = {
  ...{ number: 1, hash, parentHash: hash, timestamp: 1_700_000_000, nonce: '0x0000000000000000', difficulty: 0n },
  ...{ gasLimit: 30_000_000n, gasUsed: 0n, miner: to, extraData: '0x', baseFeePerGas: 1_000_000_000n },
  transactions: [],
}
const answers: Record<string, unknown> = {
  getTransactionCount: 9,
  estimateGas: 21_000n,
  getBlockNumber: 1,
  getGasPrice: 1_000_000_000n,
  getPriorityFee: 1_000_000_000n,
  getBlock: latestBlock,
}
