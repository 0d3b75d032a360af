/** The signer's own P-256 key: the same in every host, because it comes from the data key. */
import { p256 } from '@noble/curves/nist.js'
import { mapHashToField } from '@noble/curves/abstract/modular.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '../protocol/bytes.ts'
import { subKey } from './sub-keys.ts'

function withIdentity<T>(use: (secretKey: Uint8Array) => T): T {
  const secretKey = mapHashToField(subKey('identity'), p256.Point.Fn.ORDER)
  try {
    return use(secretKey)
  } finally {
    secretKey.fill(0)
  }
}

export function identity(): Uint8Array {
  return withIdentity((secretKey) => p256.getPublicKey(secretKey, false))
}

/** DER (RFC 3279) of ECDSA over SHA-256 of `data`. */
export function attest(data: Uint8Array): Uint8Array {
  return withIdentity((secretKey) => {
    const digest = sha256(data)
    const signature = p256.sign(digest, secretKey, { prehash: false, lowS: true, format: 'der' })
    if (!isOwn(signature, digest, secretKey)) throw new Error('signature does not verify')
    return signature
  })
}

/**
 * The verification equation with the secret key in place of the public one: R = (z + r d) / s · G. Each activity is
 * attested, and this takes one multiplication of the base point, for which there is a table, where verifying would
 * take a second one, without a table.
 */
function isOwn(signature: Uint8Array, digest: Uint8Array, secretKey: Uint8Array): boolean {
  const { BASE, Fn } = p256.Point
  const { r, s } = p256.Signature.fromBytes(signature, 'der')
  const z = Fn.create(BigInt(`0x${bytesToHex(digest)}`))
  const k = Fn.div(Fn.add(z, Fn.mul(r, Fn.fromBytes(secretKey))), s)
  return Fn.create(BASE.multiply(k).toAffine().x) === r
}
