/** Published vectors and those of independent implementations, through the engine's own interface. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { deriveAddress } from '../../signer-core/gate/addresses/index.ts'
import { sealTo } from '../../signer-core/engine-reference/hpke.ts'
import { curvesOfAddressFormat, type AddressFormat } from '../../signer-core/protocol/address-formats.ts'
import { curveOfName, type CurveName } from '../../signer-core/protocol/curves.ts'
import { addressTools } from '../support/address-tools.ts'
import { publicKeyOf } from '../support/known-keys.ts'
import { openSecret, sealedWallet, sealSecret } from '../support/sealed-keys.ts'
import { path, refused, type EngineRule, type LoadedEngine } from './engine.ts'

const binding = Uint8Array.of(4)
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const hexOf = (data: Uint8Array) => Buffer.from(data).toString('hex')
const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '../vectors', name), 'utf8'))

interface Ecdsa {
  curve: CurveName
  privateKey: string
  digest: string
  r: string
  s: string
  v: string
}
const signatures = read('signatures.json') as {
  published: Ecdsa[]
  ecdsa: Ecdsa[]
  ed25519: { privateKey: string; message: string; signature: string }[]
  schnorr: {
    privateKey: string
    message: string
    plainBip340: { signature: string }
    taprootKeyPath: { signature: string; outputKeyXOnly: string }
  }[]
}
const derivation = read('derivation.json') as {
  mnemonic: string
  addresses: { path: string; format: AddressFormat; address: string }[]
}
const bundles = read('export-bundles.json') as {
  import: {
    name: string
    importTargetPrivateKey: string
    encryptedBundle: string
    expectedPlaintextHex?: string
    expectedPlaintextUtf8?: string
  }[]
}

/** A secret key that the test knows, sealed by the second implementation. */
function knownKey({ dataKey }: LoadedEngine, curve: 'secp256k1' | 'ed25519' | 'p256', secretHex: string) {
  const secret = Buffer.from(secretHex, 'hex')
  const publicKey = Uint8Array.from(publicKeyOf(curve, secret))
  const sealed = sealSecret(dataKey, secret, { purpose: 'private-key', curve, publicKey, binding })
  return { curve, publicKey, sealed, binding }
}

function knownTarget({ dataKey }: LoadedEngine, secretHex: string) {
  const secret = Buffer.from(secretHex, 'hex')
  const publicKey = Uint8Array.from(publicKeyOf('p256', secret))
  const sealed = sealSecret(dataKey, secret, { purpose: 'import-target', curve: 'p256', publicKey, binding })
  return { publicKey, sealed, binding }
}

function importMnemonic(subject: LoadedEngine, text: string): Uint8Array {
  const target = { ...subject.engine.generateTarget(binding), binding }
  return subject.engine.importWallet(target, sealTo(target.publicKey, Buffer.from(text)), binding)
}

/** m/44'/60'/0'/0/0 as numbers, hardened ones with bit 31 set. */
function levelsOf(text: string): Uint32Array {
  const level = (part: string) => Number.parseInt(part, 10) + (part.endsWith("'") ? 0x8000_0000 : 0)
  return path(...text.split('/').slice(1).map(level))
}

/** What node:crypto says about SHA-2 and the other hashes that it has. */
const HASHES = {
  sha256: 'sha256',
  sha512: 'sha512',
  'sha3-256': 'sha3-256',
  ripemd160: 'ripemd160',
} as const

function assertDigests(t: ExecutionContext, { engine }: LoadedEngine): void {
  // Around the block and padding borders of each: 64, 128 and 136 bytes.
  for (const length of [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 135, 136, 137, 271, 272, 273, 5_000]) {
    const data = Uint8Array.from({ length }, (_, i) => i * 7)
    for (const [name, nodeName] of Object.entries(HASHES)) {
      const expected = createHash(nodeName).update(data).digest('hex')
      t.is(hexOf(engine.digest(name as keyof typeof HASHES, data)), expected, `${name} ${length}`)
    }
  }
  // Keccak team's and RFC 7693's algorithms; node:crypto has neither at this length.
  const abc = Buffer.from('abc')
  t.is(hexOf(engine.digest('keccak256', abc)), '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45')
  t.is(hexOf(engine.digest('blake2b256', abc)), 'bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319')
}

export function vectorRules(rule: EngineRule): void {
  rule('ECDSA: RFC 6979, low s, recovery id', (t, subject) => {
    const all = [...signatures.published, ...signatures.ecdsa]
    t.is(all.length, 79)
    for (const { curve, privateKey, digest, r, s, v } of all) {
      const key = knownKey(subject, curveOfName[curve], privateKey)
      t.is(hexOf(subject.engine.sign(key, 'ecdsa', bytes(digest))), `${v}${r}${s}`)
    }
  })

  rule('ed25519: RFC 8032', (t, subject) => {
    t.is(signatures.ed25519.length, 25)
    for (const { privateKey, message, signature } of signatures.ed25519) {
      const key = knownKey(subject, 'ed25519', privateKey)
      t.is(hexOf(subject.engine.sign(key, 'eddsa', bytes(message))), signature)
    }
  })

  rule('BIP-340, plain and with the BIP-341 tweak', (t, subject) => {
    t.is(signatures.schnorr.length, 3)
    for (const { privateKey, message, plainBip340, taprootKeyPath } of signatures.schnorr) {
      const key = knownKey(subject, 'secp256k1', privateKey)
      t.is(hexOf(subject.engine.sign(key, 'bip340', bytes(message))), plainBip340.signature)
      t.is(hexOf(subject.engine.sign(key, 'bip340-taproot', bytes(message))), taprootKeyPath.signature)
      t.is(hexOf(subject.engine.taprootOutputKey(key.publicKey)), taprootKeyPath.outputKeyXOnly)
    }
  })

  rule('digests', assertDigests)

  rule('BIP-39, BIP-32 and SLIP-10: the addresses that wallets show', (t, subject) => {
    const wallet = sealedWallet(subject.dataKey, derivation.mnemonic, binding)
    t.is(derivation.addresses.length, 25)
    for (const { path: text, format, address } of derivation.addresses) {
      const curve = curveOfName[curvesOfAddressFormat[format][0]]
      const { publicKey } = subject.engine.derive(wallet, curve, levelsOf(text), binding)
      t.is(deriveAddress(format, publicKey, addressTools).address, address, `${text} ${format}`)
    }
  })

  rule('what is no English mnemonic is refused', (t, subject) => {
    const { mnemonic } = derivation
    const texts = [
      '',
      ' ',
      `${mnemonic} `,
      ` ${mnemonic}`,
      mnemonic.replace(' ', '  '),
      mnemonic.replace(' ', '\n'),
      mnemonic.toUpperCase(),
      mnemonic.replace('about', 'abandon'),
      mnemonic.replace('about', 'abouts'),
      mnemonic.replace('about', 'abou'),
      mnemonic.replace('about', 'áboút'),
      mnemonic.split(' ').slice(1).join(' '),
      `${mnemonic} ${mnemonic} abandon`,
      'abandonabandon'.repeat(30),
    ]
    for (const text of texts) refused(t, 'bad-input', () => importMnemonic(subject, text), JSON.stringify(text))
  })

  rule('every bundle that the real client sealed opens', (t, subject) => {
    t.is(bundles.import.length, 4)
    for (const {
      importTargetPrivateKey,
      encryptedBundle,
      expectedPlaintextHex,
      expectedPlaintextUtf8,
      name,
    } of bundles.import) {
      const target = knownTarget(subject, importTargetPrivateKey)
      const { encappedPublic, ciphertext } = JSON.parse(encryptedBundle) as Record<string, string>
      const parcel = { encapsulated: bytes(encappedPublic as string), ciphertext: bytes(ciphertext as string) }
      if (expectedPlaintextHex === undefined) {
        const sealed = subject.engine.importWallet(target, parcel, binding)
        const wallet = sealedWallet(subject.dataKey, expectedPlaintextUtf8 as string, binding)
        const identity = { purpose: 'wallet', curve: '', publicKey: new Uint8Array(0), binding } as const
        const [opened, wanted] = [sealed, wallet.sealed].map((each) => openSecret(subject.dataKey, each, identity))
        t.deepEqual(opened, wanted, name)
      } else {
        const { publicKey } = subject.engine.importKey(target, parcel, 'ed25519', binding)
        t.deepEqual(Buffer.from(publicKey), publicKeyOf('ed25519', Buffer.from(expectedPlaintextHex, 'hex')), name)
      }
    }
  })

  rule('what is attested verifies with the identity’s public key', (t, { engine }) => {
    const identity = Buffer.from(engine.identity())
    const [x, y] = [identity.subarray(1, 33), identity.subarray(33)].map((each) => each.toString('base64url'))
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, format: 'jwk' })
    for (let length = 0; length < 40; length++) {
      const data = Buffer.alloc(length, length)
      t.true(verify('sha256', data, key, engine.attest(data)), String(length))
    }
  })
}
