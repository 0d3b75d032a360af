/** Wallets through the built component: known phrases lead to known addresses, and each seal opens as what it is only. */
import { createECDH, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mnemonicToSeedSync } from '@scure/bip39'
import test from 'ava'
import { openWith, sealTo } from '../../signer-core/engine-reference/hpke.ts'
import { curvesOfAddressFormat, type AddressFormat } from '../../signer-core/protocol/address-formats.ts'
import type { WalletAccountFacts } from '../../signer-core/protocol/wallet.ts'
import type { GateOutcome, GateWalletRecord } from '../../signer-core/host/signer.d.ts'
import { Bench, refusalOf, type GateRequest, type ImportTarget } from '../support/component.ts'

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const other = await Bench.open(dataKey)
const { perform } = bench.component.gate
const codeOf = (request: GateRequest) => refusalOf(() => perform(request)).code
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/derivation.json'), 'utf8')) as {
  mnemonic: string
  addresses: { path: string; format: AddressFormat; address: string }[]
}

/** The first account of each path, since a path stands for one; and what the vectors have besides. */
const first = vectors.addresses.filter(({ path }, i) => vectors.addresses.findIndex((each) => each.path === path) === i)
const rest = vectors.addresses.filter((each) => !first.includes(each))

const userOf = ({ organization }: Bench) =>
  (JSON.parse(organization.text) as { users: { userId: string }[] }).users[0]?.userId as string

function accountOf(
  path: string,
  addressFormat: AddressFormat,
  curve: string = curvesOfAddressFormat[addressFormat][0],
) {
  return { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat }
}
const ETHEREUM = accountOf("m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM')

function begin(type = 'ACTIVITY_TYPE_INIT_IMPORT_WALLET'): ImportTarget {
  return perform(bench.request(type, { userId: userOf(bench) })).importTarget as ImportTarget
}

function importRequest(mnemonic: string, accounts: object[] = [], importTarget = begin(), type = 'WALLET') {
  const { encapsulated, ciphertext } = sealTo(importTarget.publicKey, Buffer.from(mnemonic))
  const encryptedBundle = JSON.stringify({ encappedPublic: hex(encapsulated), ciphertext: hex(ciphertext) })
  const wanted =
    type === 'WALLET'
      ? { walletName: 'imported', accounts }
      : { privateKeyName: 'imported', curve: 'CURVE_SECP256K1', addressFormats: [] }
  const parameters = { userId: userOf(bench), encryptedBundle, ...wanted }
  return bench.request(`ACTIVITY_TYPE_IMPORT_${type}`, parameters, [], { importTarget })
}

const walletsOf = ({ newWallets }: GateOutcome) => newWallets.map(({ wallet }) => wallet)
const walletOf = (outcome: GateOutcome) => walletsOf(outcome)[0] as GateWalletRecord
const accountsOf = ({ newKeys }: GateOutcome) => newKeys.map(({ facts }) => JSON.parse(facts) as WalletAccountFacts)

function moreRequest(wallet: GateWalletRecord, accounts: object[], more: object = {}) {
  const parameters = { walletId: wallet.walletId, accounts, ...more }
  return bench.request('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', parameters, [], { wallets: [wallet] })
}

/** What the holder of a fresh key reads in the bundle for it. */
function exported(wallet: GateWalletRecord): string {
  const target = createECDH('prime256v1')
  const publicKey = target.generateKeys()
  const parameters = { walletId: wallet.walletId, targetPublicKey: publicKey.toString('hex') }
  const { result, changes } = perform(
    bench.request('ACTIVITY_TYPE_EXPORT_WALLET', parameters, [], { wallets: [wallet] }),
  )
  if (changes !== JSON.stringify([{ change: 'walletExported', walletId: wallet.walletId }])) throw new Error(changes)
  const { exportBundle } = (JSON.parse(result) as { exportWalletResult: { exportBundle: string } }).exportWalletResult
  const { data } = JSON.parse(exportBundle) as { data: string }
  const inner = JSON.parse(Buffer.from(data, 'hex').toString()) as { encappedPublic: string; ciphertext: string }
  const parcel = {
    encapsulated: Buffer.from(inner.encappedPublic, 'hex'),
    ciphertext: Buffer.from(inner.ciphertext, 'hex'),
  }
  // Node leaves leading zeros out.
  const secretKey = Buffer.from(target.getPrivateKey('hex').padStart(64, '0'), 'hex')
  return Buffer.from(openWith(secretKey, publicKey, parcel)).toString()
}

/** One wallet for all tests: its seed costs the engine seconds. */
let known: GateOutcome
test.before(() => {
  const accounts = first.map(({ path, format }) => accountOf(path, format))
  known = perform(importRequest(vectors.mnemonic, accounts))
})

test('the phrase of the published vectors leads to their addresses, in the order asked for', (t) => {
  t.is(first.length, 21)
  const { walletId, addresses } = (
    JSON.parse(known.result) as { importWalletResult: { walletId: string; addresses: string[] } }
  ).importWalletResult
  t.deepEqual(
    addresses,
    first.map((each) => each.address),
  )
  t.is(walletId, walletOf(known).walletId)
  t.deepEqual(
    accountsOf(known).map((each) => [each.walletId, each.path, each.address]),
    first.map((each) => [walletId, each.path, each.address]),
  )
  t.deepEqual(JSON.parse(known.newWallets[0]?.facts ?? ''), { walletName: 'imported', imported: true })
  t.deepEqual(JSON.parse(known.changes), [{ change: 'importTargetUsed', flow: 'wallet', userId: userOf(bench) }])
})

test('the remaining addresses of the vectors come without being kept', (t) => {
  t.is(rest.length, 4)
  for (const { path, format, address } of rest) {
    const outcome = perform(moreRequest(walletOf(known), [accountOf(path, format)], { persist: false }))
    t.deepEqual(JSON.parse(outcome.result), { createWalletAccountsResult: { addresses: [address] } })
    t.deepEqual(outcome.newKeys, [])
  }
})

/** SLIP-10 for nist256p1 a second time, on node:crypto; the retry of its chance of 2^-32 is left out. */
function slip10P256(seed: Uint8Array, path: string): Buffer {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const publicKeyOf = (key: Buffer) => {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(key)
    return pair.getPublicKey(null, 'compressed')
  }
  let digest = createHmac('sha512', 'Nist256p1 seed').update(seed).digest()
  for (const level of path.split('/').slice(1)) {
    const [key, chainCode] = [digest.subarray(0, 32), digest.subarray(32)]
    const index = Buffer.alloc(4)
    index.writeUInt32BE(Number.parseInt(level, 10) + (level.endsWith("'") ? 2 ** 31 : 0))
    const parent = level.endsWith("'") ? Buffer.concat([Buffer.of(0), key]) : publicKeyOf(key)
    const next = createHmac('sha512', chainCode).update(parent).update(index).digest()
    const sum = (BigInt(`0x${hex(next.subarray(0, 32))}`) + BigInt(`0x${hex(key)}`)) % order
    digest = Buffer.concat([Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'), next.subarray(32)])
  }
  return publicKeyOf(digest.subarray(0, 32))
}

test('P-256 accounts are those of a second implementation of SLIP-10', (t) => {
  const paths = ["m/44'/60'/0'/0/0", "m/44'/0'", "m/2147483647'/2147483647/0/1'/7"]
  const accounts = paths.map((path) => accountOf(path, 'ADDRESS_FORMAT_COMPRESSED', 'CURVE_P256'))
  const { result } = perform(moreRequest(walletOf(known), accounts, { persist: false }))
  const seed = mnemonicToSeedSync(vectors.mnemonic)
  const addresses = paths.map((path) => hex(slip10P256(seed, path)))
  t.deepEqual(JSON.parse(result), { createWalletAccountsResult: { addresses } })
})

test('the phrase of test chains leads to their addresses', (t) => {
  const phrase = 'test test test test test test test test test test test junk'
  const paths = [0, 1, 2].map((i) => accountOf(`m/44'/60'/0'/0/${i}`, 'ADDRESS_FORMAT_ETHEREUM'))
  t.deepEqual(
    accountsOf(perform(importRequest(phrase, paths))).map((each) => each.address),
    [
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ],
  )
})

test('an account signs as a key of its own, by its id and by its address', (t) => {
  const at = first.findIndex(({ format }) => format === 'ADDRESS_FORMAT_ETHEREUM')
  const { key } = known.newKeys[at] as GateOutcome['newKeys'][number]
  const byId = bench.sign(key, 'hello', 'HASH_FUNCTION_KECCAK256')
  const parameters = {
    signWith: first[at]?.address,
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  }
  const { result } = perform(bench.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, [key]))
  t.deepEqual(JSON.parse(result), { signRawPayloadResult: byId })
})

test('the mnemonic comes back out, and a new wallet has as many words as asked for', (t) => {
  t.is(exported(walletOf(known)), vectors.mnemonic)
  for (const mnemonicLength of [15, 24]) {
    const outcome = perform(
      bench.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'new', accounts: [], mnemonicLength }),
    )
    t.is(exported(walletOf(outcome)).split(' ').length, mnemonicLength)
    t.deepEqual(JSON.parse(outcome.newWallets[0]?.facts ?? ''), { walletName: 'new', imported: false })
  }
})

test('what is no English mnemonic without passphrase is refused by the words that clients look for', (t) => {
  const bad = {
    'a wrong checksum': vectors.mnemonic.replace('about', 'abandon'),
    'eleven words': vectors.mnemonic.replace(' about', ''),
    'an unknown word': vectors.mnemonic.replace('about', 'xylophonist'),
    'a passphrase after a newline': `${vectors.mnemonic}\npassphrase`,
    'capital letters': vectors.mnemonic.toUpperCase(),
    'another language': 'ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco abierto',
    'a private key': 'ab'.repeat(32),
    nothing: ' ',
    'a long text': 'abandon '.repeat(50),
  }
  const importTarget = begin()
  for (const [name, mnemonic] of Object.entries(bad)) {
    const { code, message, field } = refusalOf(() => perform(importRequest(mnemonic, [], importTarget)))
    t.is(code, 'BUNDLE_INVALID', name)
    t.regex(message, /^invalid mnemonic/, name)
    t.is(field, 'parameters.encryptedBundle')
  }
})

test('a target serves for wallets or for private keys, never for the other', (t) => {
  const forWallets = begin()
  const forKeys = begin('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY')
  t.is(codeOf(importRequest('x'.repeat(32), [], forWallets, 'PRIVATE_KEY')), 'BUNDLE_INVALID')
  t.notThrows(() => perform(importRequest('x'.repeat(32), [], forKeys, 'PRIVATE_KEY')), 'the control')
  t.is(refusalOf(() => perform(importRequest(vectors.mnemonic, [], forKeys))).message, 'the bundle does not open')
})

test('a sealed wallet opens only for its organization and id', (t) => {
  const wallet = walletOf(known)
  const second = walletOf(perform(bench.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 's', accounts: [] })))
  const foreign = walletOf(
    other.component.gate.perform(other.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'f', accounts: [] })),
  )
  const { walletId } = wallet
  const flip = (at: number) => wallet.sealed.map((byte, i) => (i === at ? byte ^ 1 : byte))
  const forgeries = {
    'of another id': { walletId, sealed: second.sealed },
    'of another organization': { walletId, sealed: foreign.sealed },
    'of another organization under its own id': foreign,
    empty: { walletId, sealed: new Uint8Array() },
    cut: { walletId, sealed: wallet.sealed.slice(0, -1) },
    'altered in the version': { walletId, sealed: flip(0) },
    'altered in the seed': { walletId, sealed: flip(20) },
    'altered in the tag': { walletId, sealed: flip(wallet.sealed.length - 1) },
    'a private key': { walletId, sealed: bench.create('CURVE_SECP256K1').key.sealed },
    'an import target': { walletId, sealed: begin().sealed },
  }
  for (const [name, forged] of Object.entries(forgeries)) {
    t.is(codeOf(moreRequest(forged, [ETHEREUM])), 'SEALED_KEY_REFUSED', name)
    const target = createECDH('prime256v1').generateKeys('hex')
    const parameters = { walletId: forged.walletId, targetPublicKey: target }
    const exporting = bench.request('ACTIVITY_TYPE_EXPORT_WALLET', parameters, [], { wallets: [forged] })
    t.is(codeOf(exporting), 'SEALED_KEY_REFUSED', name)
  }
  t.is(codeOf({ ...moreRequest(wallet, [ETHEREUM]), wallets: [second] }), 'WALLET_NOT_FOUND')
  t.is(codeOf({ ...moreRequest(wallet, [ETHEREUM]), wallets: [] }), 'WALLET_NOT_FOUND')
})

test('a sealed wallet is no key', (t) => {
  const [made] = known.newKeys
  const { walletId, sealed } = walletOf(known)
  const posing = { ...(made as GateOutcome['newKeys'][number]).key, keyId: walletId, sealed }
  t.is(refusalOf(() => bench.sign(posing, 'x', 'HASH_FUNCTION_SHA256')).code, 'SEALED_KEY_REFUSED')
})

test('an evaluation of other accounts, or of another wallet, executes nothing', (t) => {
  const activityId = randomUUID()
  const wallet = walletOf(known)
  const requestOf = (accounts: object[], persist: boolean) => ({
    ...moreRequest(wallet, accounts, { persist }),
    activityId,
    bodyDigest: new Uint8Array(32),
  })
  const { evaluation } = perform(requestOf([ETHEREUM], false))
  t.notThrows(() => perform({ ...requestOf([ETHEREUM], false), evaluation }))
  const changed = [
    requestOf([ETHEREUM], true),
    requestOf([{ ...ETHEREUM, path: 'm/1' }], false),
    requestOf([{ ...ETHEREUM, addressFormat: 'ADDRESS_FORMAT_TRON' }], false),
    requestOf([{ ...ETHEREUM, name: 'n' }], false),
    requestOf([ETHEREUM, { ...ETHEREUM, path: 'm/1' }], false),
  ]
  for (const request of changed) t.is(codeOf({ ...request, evaluation }), 'SIGNER_REQUEST_MISMATCH')
})

test('what was never exported is deleted only when the body says so', (t) => {
  const { walletId } = walletOf(known)
  const keys = [bench.create('CURVE_P256').key, bench.create('CURVE_P256').key]
  const keyIds = keys.map((each) => each.keyId)
  const [keyId, second] = keyIds as [string, string]
  const ofKeys = (more: object, exportedIds: string[]) =>
    bench.request('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', { privateKeyIds: keyIds, ...more }, keys, { exportedIds })
  t.like(
    refusalOf(() => perform(ofKeys({}, [keyId]))),
    { code: 'NEVER_EXPORTED', field: 'parameters.privateKeyIds.1' },
  )
  t.is(codeOf(ofKeys({ deleteWithoutExport: false }, [second])), 'NEVER_EXPORTED')
  const changes = JSON.stringify([{ change: 'privateKeysDeleted', privateKeyIds: keyIds }])
  t.is(perform(ofKeys({}, [second, keyId])).changes, changes)
  t.is(perform(ofKeys({ deleteWithoutExport: true }, [])).changes, changes)
  t.is(codeOf({ ...ofKeys({ deleteWithoutExport: true }, []), keys: keys.slice(1) }), 'KEY_NOT_FOUND')

  const accounts = { walletAccountIds: keyIds }
  t.is(codeOf(bench.request('ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', accounts, keys)), 'WALLET_ACCOUNT_NOT_EXPORTED')
  const ofWallet = (more: object, wallets = [walletOf(known)]) =>
    bench.request('ACTIVITY_TYPE_DELETE_WALLETS', { walletIds: [walletId], ...more }, [], { wallets })
  t.is(codeOf(ofWallet({})), 'NEVER_EXPORTED')
  t.is(codeOf(ofWallet({ deleteWithoutExport: true }, [])), 'WALLET_NOT_FOUND')
  t.deepEqual(JSON.parse(perform(ofWallet({ deleteWithoutExport: true })).result), {
    deleteWalletsResult: { walletIds: [walletId] },
  })
})
