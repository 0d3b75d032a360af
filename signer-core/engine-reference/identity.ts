/** The signer's own P-256 key: the same in every host, because it comes from the data key. */
import { p256 } from '@noble/curves/nist.js'
import { mapHashToField } from '@noble/curves/abstract/modular.js'
import { sha256 } from '@noble/hashes/sha2.js'
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
    const publicKey = p256.getPublicKey(secretKey)
    if (!p256.verify(signature, digest, publicKey, { prehash: false, format: 'der' })) {
      throw new Error('signature does not verify')
    }
    return signature
  })
}
