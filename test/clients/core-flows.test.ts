/** The flows of a user who signs and exports, with unmodified clients: transactions, typed data, authorizations, export. */
import { decryptExportBundle, generateP256KeyPair } from '@turnkey/crypto'
import { createAccount } from '@turnkey/viem'
import test from 'ava'
import {
  parseGwei,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type Hex,
  type TransactionSerializable,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { addressFormats, curvesOfAddressFormat } from '../../signer-core/protocol/address-formats.ts'
import { newTimestampMs } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { organizationId, signerPublicKey } = service.dev
const client = turnkeyClient(service.dev)

type Curve = 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256'
async function createKey(curve: Curve, formats: string[] = []) {
  const privateKey = { privateKeyName: 'key', curve, privateKeyTags: [], addressFormats: formats as never[] }
  const { privateKeys } = await client.createPrivateKeys({ timestampMs: newTimestampMs(), privateKeys: [privateKey] })
  const [created] = privateKeys
  return { privateKeyId: created?.privateKeyId as string, addresses: created?.addresses ?? [] }
}

let ethereumKeyId: string
let address: Hex
let account: Awaited<ReturnType<typeof createAccount>>
test.before(async () => {
  const { privateKeyId, addresses } = await createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  ethereumKeyId = privateKeyId
  address = addresses[0]?.address as Hex
  account = await createAccount({ client, organizationId, signWith: address })
})

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const fees = { maxFeePerGas: parseGwei('3'), maxPriorityFeePerGas: parseGwei('1') }
const authorization = { chainId: 84532, address: to, nonce: 7 } as const

test('a key has an address in every format of its curve, each of which names it', async (t) => {
  for (const curve of ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const) {
    const formats = addressFormats.filter((format) =>
      (curvesOfAddressFormat[format] as readonly string[]).includes(curve),
    )
    const { addresses } = await createKey(curve, formats)
    t.deepEqual(
      addresses.map((each) => each.format as string),
      formats,
    )
    const hashFunction = curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256'
    for (const each of addresses) {
      const signWith = each.address as string
      const signed = await client.signRawPayload({
        signWith,
        payload: 'named',
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction,
      })
      t.is(signed.activity.status, 'ACTIVITY_STATUS_COMPLETED', `${each.format} ${signWith}`)
    }
  }
})

test('Ethereum transactions of every type are signed by the account', async (t) => {
  const signedAuthorization = await account.signAuthorization?.(authorization)
  if (signedAuthorization === undefined) return t.fail()
  const common = { to, value: 1n, nonce: 3, gas: 21_000n, chainId: 84_532 } as const
  const transactions: TransactionSerializable[] = [
    { ...common, type: 'legacy', gasPrice: parseGwei('2') },
    { ...common, type: 'eip2930', gasPrice: parseGwei('2'), accessList: [{ address: to, storageKeys: [] }] },
    { ...common, type: 'eip1559', ...fees, data: '0xdeadbeef' },
    { ...common, type: 'eip7702', ...fees, authorizationList: [signedAuthorization] },
    { type: 'eip1559', ...fees, nonce: 0, gas: 100_000n, chainId: 1, data: '0x6000' },
  ]
  for (const transaction of transactions) {
    const serializedTransaction = await account.signTransaction(transaction)
    const signer = await recoverTransactionAddress({ serializedTransaction: serializedTransaction as never })
    t.is(signer, address, transaction.type)
  }
})

test('an EIP-7702 authorization recovers to the account', async (t) => {
  const signed = await account.signAuthorization?.(authorization)
  if (signed === undefined) return t.fail()
  t.is(await recoverAuthorizationAddress({ authorization: signed }), address)
})

const typedData = {
  domain: { name: 'Token', version: '2', chainId: 84_532n, verifyingContract: to },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Transfer: [
      { name: 'to', type: 'address' },
      { name: 'amounts', type: 'uint256[]' },
    ],
  },
  primaryType: 'Transfer',
  message: { to, amounts: [1n, 2n ** 255n] },
} as const

test('typed data recovers to the account', async (t) => {
  const signature = await account.signTypedData(typedData)
  t.is(await recoverTypedDataAddress({ ...typedData, signature }), address)
})

test('a domain without its type is refused, not signed as empty', async (t) => {
  const { EIP712Domain: _, ...types } = typedData.types
  const message = { to, amounts: ['1'] }
  await t.throwsAsync(
    client.signRawPayload({
      signWith: address,
      payload: JSON.stringify({
        domain: { ...typedData.domain, chainId: 84_532 },
        types,
        primaryType: 'Transfer',
        message,
      }),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
    { message: /domain/ },
  )
})

test('many payloads are signed as one activity', async (t) => {
  const { signatures, activity } = await client.signRawPayloads({
    signWith: address,
    payloads: ['a', 'b', 'c'],
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  })
  t.is(activity.type, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS')
  t.is(new Set(signatures?.map((each) => each.r)).size, 3)
})

test('an exported key opens in the real client, is the key, and is marked as exported', async (t) => {
  const target = generateP256KeyPair()
  const { exportBundle } = await client.exportPrivateKey({
    privateKeyId: ethereumKeyId,
    targetPublicKey: target.publicKeyUncompressed,
  })
  const opened = await decryptExportBundle({
    exportBundle,
    embeddedKey: target.privateKey,
    organizationId,
    dangerouslyOverrideSignerPublicKey: signerPublicKey,
    keyFormat: 'HEXADECIMAL',
    returnMnemonic: false,
  })
  t.is(privateKeyToAddress(`0x${opened}`), address)
  const { privateKey } = await client.getPrivateKey({ privateKeyId: ethereumKeyId })
  t.true(privateKey.exported)
  t.false(service.output().includes(opened))
})

test('ed25519 and P-256 keys export as well, to a compressed target too', async (t) => {
  const target = generateP256KeyPair()
  for (const curve of ['CURVE_ED25519', 'CURVE_P256'] as const) {
    const { privateKeyId } = await createKey(curve)
    const { exportBundle } = await client.exportPrivateKey({ privateKeyId, targetPublicKey: target.publicKey })
    const opened = await decryptExportBundle({
      exportBundle,
      embeddedKey: target.privateKey,
      organizationId,
      dangerouslyOverrideSignerPublicKey: signerPublicKey,
      keyFormat: curve === 'CURVE_ED25519' ? 'SOLANA' : 'HEXADECIMAL',
      returnMnemonic: false,
    })
    t.true(opened.length > 60, curve)
  }
})

test('no key leaves to a target that is no point of the curve', async (t) => {
  const { privateKeyId } = await createKey('CURVE_SECP256K1')
  const targets = ['', '00', `04${'00'.repeat(64)}`, `04${'11'.repeat(64)}`, `02${'ff'.repeat(32)}`, '04']
  for (const targetPublicKey of targets) {
    await t.throwsAsync(client.exportPrivateKey({ privateKeyId, targetPublicKey }), undefined, targetPublicKey)
  }
  const { privateKey } = await client.getPrivateKey({ privateKeyId })
  t.false(privateKey.exported)
})

test('a transaction type that is not offered says so', async (t) => {
  const sign = (type: string, unsignedTransaction: string) =>
    client.signTransaction({ signWith: address, unsignedTransaction, type: type as 'TRANSACTION_TYPE_ETHEREUM' })
  await t.throwsAsync(sign('TRANSACTION_TYPE_TEMPO', '7600'), { message: /unsupported transaction type/ })
  await t.throwsAsync(sign('TRANSACTION_TYPE_ETHEREUM', '02c0'), { message: /failed to parse transaction/ })
})
