/** The sealed format a second time, from `wit/deps/engine/engine.wit` and on node:crypto alone: a check on the engine, and a way to use known keys. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface KeyIdentity {
  curve: string
  publicKey: Uint8Array
  organizationId: string
  keyId: string
}

function lengthPrefixed(...fields: Uint8Array[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(field.length)
      return [length, field]
    }),
  )
}

function additionalData({ curve, publicKey, organizationId, keyId }: KeyIdentity): Buffer {
  const binding = lengthPrefixed(Buffer.from(organizationId), Buffer.from(keyId))
  return lengthPrefixed(Buffer.of(1), Buffer.from('private-key'), Buffer.from(curve), publicKey, binding)
}

function subKey(dataKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), 'keystead/v1/sealed-key', 32))
}

export function sealKey(dataKey: Uint8Array, privateKey: Uint8Array, identity: KeyIdentity): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', subKey(dataKey), nonce).setAAD(additionalData(identity))
  const sealed = Buffer.concat([cipher.update(privateKey), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([Buffer.of(1), nonce, sealed])
}

/** @throws when the blob was not sealed for this identity. */
export function openKey(dataKey: Uint8Array, sealed: Uint8Array, identity: KeyIdentity): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', subKey(dataKey), sealed.subarray(1, 13))
  decipher.setAAD(additionalData(identity)).setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(13, -16)), decipher.final()])
}
