/** The sealed format a second time, from `wit/deps/engine/engine.wit` and on node:crypto alone: a check on the engine, and a way to use known keys. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

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

/** What a sealed secret is bound to; a wallet has neither curve nor public key. */
export interface SecretIdentity {
  purpose: 'private-key' | 'wallet' | 'import-target'
  curve: string
  publicKey: Uint8Array
  binding: Uint8Array
}

function additionalData({ purpose, curve, publicKey, binding }: SecretIdentity): Buffer {
  return lengthPrefixed(Buffer.of(1), Buffer.from(purpose), Buffer.from(curve), publicKey, binding)
}

function identityOf({ curve, publicKey, organizationId, keyId }: KeyIdentity): SecretIdentity {
  const binding = lengthPrefixed(Buffer.from(organizationId), Buffer.from(keyId))
  return { purpose: 'private-key', curve, publicKey, binding }
}

function subKey(dataKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), 'keystead/v1/sealed-key', 32))
}

export function sealSecret(dataKey: Uint8Array, secret: Uint8Array, identity: SecretIdentity): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', subKey(dataKey), nonce).setAAD(additionalData(identity))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([Buffer.of(1), nonce, sealed])
}

/** @throws when the blob was not sealed for this identity. */
export function openSecret(dataKey: Uint8Array, sealed: Uint8Array, identity: SecretIdentity): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', subKey(dataKey), sealed.subarray(1, 13))
  decipher.setAAD(additionalData(identity)).setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(13, -16)), decipher.final()])
}

export function sealKey(dataKey: Uint8Array, privateKey: Uint8Array, identity: KeyIdentity): Uint8Array {
  return sealSecret(dataKey, privateKey, identityOf(identity))
}

/** @throws when the blob was not sealed for this identity. */
export function openKey(dataKey: Uint8Array, sealed: Uint8Array, identity: KeyIdentity): Buffer {
  return openSecret(dataKey, sealed, identityOf(identity))
}

/** A wallet as the engine keeps it; making a seed takes the reference engine two seconds. */
export function sealedWallet(
  dataKey: Uint8Array,
  mnemonic: string,
  binding: Uint8Array,
): { sealed: Uint8Array; binding: Uint8Array } {
  const secret = Buffer.concat([mnemonicToSeedSync(mnemonic), mnemonicToEntropy(mnemonic, wordlist)])
  const identity = { purpose: 'wallet', curve: '', publicKey: new Uint8Array(0), binding } as const
  return { sealed: sealSecret(dataKey, secret, identity), binding }
}
