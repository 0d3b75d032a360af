/** HPKE against the vectors of RFC 9180, and against bundles that the real client made or opened. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gcm } from '@noble/ciphers/aes.js'
import { p256 } from '@noble/curves/nist.js'
import test from 'ava'
import { exchange, keySchedule, openWith, sealTo, sharedSecret } from '../../../signer-core/engine-reference/hpke.ts'

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

interface RfcVector extends Record<
  'info' | 'skRm' | 'skEm' | 'pkRm' | 'enc' | 'shared_secret' | 'key' | 'base_nonce',
  string
> {
  aead_id: number
  encryptions: { seq: number; aad: string; nonce: string; pt: string; ct: string }[]
}
const rfc = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/hpke.json'), 'utf8')) as {
  vectors: RfcVector[]
}
const AES_256_GCM = 2

test('RFC 9180: the KEM of both suites, from either side', (t) => {
  t.is(rfc.vectors.length, 2)
  for (const { skRm, skEm, pkRm, enc, ...vector } of rfc.vectors) {
    const sender = exchange(bytes(skEm), bytes(pkRm))
    t.deepEqual(exchange(bytes(skRm), bytes(enc)), sender)
    t.deepEqual(sharedSecret(sender, bytes(enc), bytes(pkRm)), bytes(vector.shared_secret))
  }
})

// The other suite's AEAD, sequence numbers and secrets exported are not offered; @hpke/core runs those in test/clients.
test('RFC 9180: key, nonce and encryptions of the suite that is offered', (t) => {
  const [vector, ...more] = rfc.vectors.filter(({ aead_id }) => aead_id === AES_256_GCM)
  if (vector === undefined || more.length > 0) return t.fail()
  const { key, nonce } = keySchedule(bytes(vector.shared_secret), bytes(vector.info))
  t.deepEqual(key, bytes(vector.key))
  t.deepEqual(nonce, bytes(vector.base_nonce))
  t.is(vector.encryptions.length, 10)
  for (const { seq, aad, pt, ct, ...encryption } of vector.encryptions) {
    // Section 5.2: the sequence number, 12 bytes big-endian, on top of the first nonce.
    const sequence = bytes(seq.toString(16).padStart(24, '0'))
    const nonceOfMessage = nonce.map((byte, i) => byte ^ (sequence[i] as number))
    t.deepEqual(nonceOfMessage, bytes(encryption.nonce))
    t.deepEqual(gcm(key, nonceOfMessage, bytes(aad)).encrypt(bytes(pt)), bytes(ct), String(seq))
  }
})

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
