/** Importing a private key with the unmodified client: sealed to a target that only the signer can open. */
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import test from 'ava'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { baseUrl, organizationId, signerPublicKey } = service.dev
const client = turnkeyClient(service.dev)

let userId: string
test.before(async () => {
  userId = (await client.getWhoami()).userId
})

async function bundleOf(privateKey: string, keyFormat: 'HEXADECIMAL' | 'SOLANA' = 'HEXADECIMAL') {
  const { importBundle } = await client.initImportPrivateKey({ userId })
  return encryptPrivateKeyToBundle({
    privateKey,
    keyFormat,
    importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: signerPublicKey,
  })
}

type Import = Parameters<typeof client.importPrivateKey>[0]
const importOf = (encryptedBundle: string, more: Partial<Import> = {}): Import => ({
  userId,
  privateKeyName: 'imported',
  encryptedBundle,
  curve: 'CURVE_SECP256K1',
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  ...more,
})

test.serial('an imported key is the key, signs, and is marked as imported', async (t) => {
  const privateKey = generatePrivateKey()
  const { privateKeyId, addresses } = await client.importPrivateKey(importOf(await bundleOf(privateKey)))
  const address = privateKeyToAddress(privateKey)
  t.deepEqual(addresses as unknown, [{ format: 'ADDRESS_FORMAT_ETHEREUM', address }])
  const { privateKey: shown } = await client.getPrivateKey({ privateKeyId })
  t.like(shown, { privateKeyId, imported: true, exported: false, curve: 'CURVE_SECP256K1' })
  const signed = await client.signRawPayload({
    signWith: address,
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  })
  t.is(signed.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.false(service.output().includes(privateKey.slice(2)))
})

test.serial('ed25519 from hexadecimal: the RFC 8032 seed leads to its Solana address', async (t) => {
  const bundle = await bundleOf('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
  const imported = importOf(bundle, { curve: 'CURVE_ED25519', addressFormats: ['ADDRESS_FORMAT_SOLANA'] })
  const { addresses } = await client.importPrivateKey(imported)
  t.is(addresses[0]?.address, 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z')
})

test.serial('a target serves once', async (t) => {
  const bundle = await bundleOf(generatePrivateKey())
  await client.importPrivateKey(importOf(bundle))
  await t.throwsAsync(client.importPrivateKey(importOf(bundle, { privateKeyName: 'again' })), { message: /no import/ })
})

test.serial('a bundle for an older target does not open', async (t) => {
  const bundle = await bundleOf(generatePrivateKey())
  await client.initImportPrivateKey({ userId })
  await t.throwsAsync(client.importPrivateKey(importOf(bundle)), { message: /does not open/ })
})

test.serial('bundles that hold no key are refused, and nothing is stored', async (t) => {
  const before = (await client.getPrivateKeys()).privateKeys.length
  const good = JSON.parse(await bundleOf(generatePrivateKey())) as { encappedPublic: string; ciphertext: string }
  const flipped = `${good.ciphertext.slice(0, -1)}${good.ciphertext.endsWith('0') ? '1' : '0'}`
  const bundles = [
    '{}',
    'x',
    '[]',
    JSON.stringify({ ...good, ciphertext: flipped }),
    JSON.stringify({ ...good, ciphertext: '' }),
    JSON.stringify({ ...good, encappedPublic: `04${'00'.repeat(64)}` }),
    JSON.stringify({ ...good, encappedPublic: good.encappedPublic.slice(2) }),
  ]
  for (const bundle of bundles)
    await t.throwsAsync(client.importPrivateKey(importOf(bundle)), { message: /bundle/ }, bundle)
  const notOnCurve = importOf(await bundleOf('ff'.repeat(32)))
  await t.throwsAsync(client.importPrivateKey(notOnCurve), { message: /no key of this curve/ })
  t.is((await client.getPrivateKeys()).privateKeys.length, before)
})

test.serial('nobody imports for somebody else', async (t) => {
  const operator = new Client(baseUrl, service.dev.operator)
  const other = (await operator.query('whoami')).json.userId as string
  await t.throwsAsync(client.initImportPrivateKey({ userId: other }), { message: /own/ })
  await t.throwsAsync(client.importPrivateKey(importOf('{}', { userId: other })), { message: /own/ })
})
