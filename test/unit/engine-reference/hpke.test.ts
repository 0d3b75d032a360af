/** HPKE against bundles that the real client made or opened; each is opened with the recipient's key. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { p256 } from '@noble/curves/nist.js'
import test from 'ava'
import { openWith, sealTo } from '../../../signer-core/engine-reference/hpke.ts'

interface Vector {
  name: string
  targetPrivateKey?: string
  importTargetPrivateKey?: string
  exportBundle?: string
  encryptedBundle?: string
  plaintextHex?: string
  expectedPlaintextHex?: string
  expectedPlaintextUtf8?: string
}
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/export-bundles.json'), 'utf8')) as {
  export: Vector[]
  import: Vector[]
}
const bytes = (hex: string | undefined) => Uint8Array.from(Buffer.from(hex ?? '', 'hex'))

/** An export bundle carries its parcel signed and in hexadecimal, an import bundle as it is. */
function parcelOf({ exportBundle, encryptedBundle }: Vector) {
  const inner =
    exportBundle === undefined
      ? (encryptedBundle as string)
      : Buffer.from((JSON.parse(exportBundle) as { data: string }).data, 'hex').toString()
  const { encappedPublic, ciphertext } = JSON.parse(inner) as { encappedPublic: string; ciphertext: string }
  return { encapsulated: bytes(encappedPublic), ciphertext: bytes(ciphertext) }
}

test('every bundle opens to its plaintext, and only unaltered', (t) => {
  const all = [...vectors.export, ...vectors.import]
  t.is(all.length, 11)
  for (const vector of all) {
    const secretKey = bytes(vector.targetPrivateKey ?? vector.importTargetPrivateKey)
    const publicKey = p256.getPublicKey(secretKey, false)
    const parcel = parcelOf(vector)
    const text = Buffer.from(vector.expectedPlaintextUtf8 ?? '').toString('hex')
    const expected = bytes(vector.plaintextHex ?? vector.expectedPlaintextHex ?? text)
    t.deepEqual(openWith(secretKey, publicKey, parcel), expected, vector.name)
    const ciphertext = Uint8Array.from(parcel.ciphertext)
    ciphertext[0] = (ciphertext[0] as number) ^ 1
    t.throws(() => openWith(secretKey, publicKey, { ...parcel, ciphertext }), { any: true, is: 'bad-seal' })
  }
})

test('what is sealed opens; a point that is none is refused', (t) => {
  const secretKey = p256.utils.randomSecretKey()
  const plaintext = Uint8Array.of(1, 2, 3)
  for (const compressed of [true, false]) {
    const parcel = sealTo(p256.getPublicKey(secretKey, compressed), plaintext)
    t.deepEqual(openWith(secretKey, p256.getPublicKey(secretKey, false), parcel), plaintext)
  }
  for (const recipient of [
    new Uint8Array(),
    Uint8Array.of(0),
    new Uint8Array(65).fill(4),
    Uint8Array.of(2, ...new Uint8Array(32).fill(255)),
  ]) {
    t.throws(() => sealTo(recipient, plaintext), { any: true, is: 'bad-input' })
  }
})
