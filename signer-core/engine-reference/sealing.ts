/**
 * Secrets at rest: format version, 12-byte nonce, AES-256-GCM (NIST SP 800-38D) of the secret bytes, 16-byte tag.
 * The additional data names everything the secret is bound to, so that a blob opens only as what it was sealed as.
 */
import { gcm } from '@noble/ciphers/aes.js'
import { randomBytes } from '../guest/random.ts'
import { concatBytes, lengthPrefixed, utf8ToBytes } from '../protocol/bytes.ts'
import { subKey } from './sub-keys.ts'

const FORMAT = Uint8Array.of(1)
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What a sealed secret is, and whose. */
export interface SealIdentity {
  purpose: 'private-key' | 'wallet' | 'import-target'
  /** Name of the curve; empty for a wallet, whose seed serves all of them. */
  curve: string
  /** Empty for a wallet. */
  publicKey: Uint8Array
  binding: Uint8Array
}

function additionalData({ purpose, curve, publicKey, binding }: SealIdentity): Uint8Array {
  return lengthPrefixed(FORMAT, utf8ToBytes(purpose), utf8ToBytes(curve), publicKey, binding)
}

export function seal(secret: Uint8Array, identity: SealIdentity): Uint8Array {
  const key = subKey('sealed-key')
  const nonce = randomBytes(NONCE_BYTES)
  return concatBytes(FORMAT, nonce, gcm(key, nonce, additionalData(identity)).encrypt(secret))
}

/** The caller overwrites the answer after use. @throws `bad-seal` when anything differs from what was sealed. */
function open(sealed: Uint8Array, identity: SealIdentity): Uint8Array {
  const key = subKey('sealed-key')
  if (sealed.length <= FORMAT.length + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORMAT[0]) throw 'bad-seal'
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  try {
    return gcm(key, nonce, additionalData(identity)).decrypt(sealed.subarray(1 + NONCE_BYTES))
  } catch {
    throw 'bad-seal'
  }
}

/** Opens a secret, hands it to `use` and overwrites it, whatever happens. */
export function withSecret<T>(sealed: Uint8Array, identity: SealIdentity, use: (secret: Uint8Array) => T): T {
  const secret = open(sealed, identity)
  try {
    return use(secret)
  } finally {
    secret.fill(0)
  }
}
