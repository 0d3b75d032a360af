/** Known private keys as the component knows keys: sealed under the test's own data key. */
import { createECDH, createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import type { KeyRecord } from './component.ts'
import { sealKey } from './sealed-keys.ts'

const curves = { CURVE_SECP256K1: 'secp256k1', CURVE_ED25519: 'ed25519', CURVE_P256: 'p256' } as const
export type CurveName = keyof typeof curves
const ecdhNames = { secp256k1: 'secp256k1', p256: 'prime256v1' }
/** PKCS #8 up to the 32 bytes of an ed25519 seed (RFC 8410). */
const ED25519_PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function publicKeyOf(curve: KeyRecord['curve'], privateKey: Buffer): Buffer {
  if (curve === 'ed25519') {
    const der = Buffer.concat([ED25519_PKCS8_HEAD, privateKey])
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    return Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url')
  }
  const pair = createECDH(ecdhNames[curve])
  pair.setPrivateKey(privateKey)
  return pair.getPublicKey()
}

export function knownKey(
  dataKey: Uint8Array,
  organizationId: string,
  curveName: CurveName,
  privateKeyHex: string,
  keyId: string = randomUUID(),
): KeyRecord {
  const curve = curves[curveName]
  const privateKey = Buffer.from(privateKeyHex, 'hex')
  const identity = { curve, publicKey: publicKeyOf(curve, privateKey), organizationId, keyId }
  return { keyId: identity.keyId, curve, publicKey: identity.publicKey, sealed: sealKey(dataKey, privateKey, identity) }
}
