/**
 * Key-encryption key in a file, for development: whoever reads the disk has both keys. AES-256-GCM
 * (NIST SP 800-38D), the context as additional data; wrapped form: 0x01, 12-byte nonce, ciphertext, 16-byte tag.
 */
import { createCipheriv, createDecipheriv, randomFillSync, type DecipherGCM } from 'node:crypto'
import { join } from 'node:path'
import { createFileDurably, readPrivateFile } from '../files.ts'
import { log, StartError } from '../log.ts'
import type { Kms, KmsConfig } from './kms.ts'

const FORMAT = 0x01
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + NONCE_BYTES

/** @throws {StartError} when the key is missing although data keys exist, or the other way round. */
export function openKeyFile({ directory, firstStart }: KmsConfig): Kms {
  const path = join(directory, 'key-encryption.key')
  log('warn', 'kms_for_development', {
    message: 'The key-encryption key lies in a file beside the data it protects. Do not use this in production.',
  })
  const existing = readPrivateFile(path, KEY_BYTES)
  existing?.fill(0)
  if (firstStart && existing !== undefined) {
    throw new StartError(
      'data_key_missing',
      `${path} exists but the data key that it protects does not. Restore data-key.wrapped from a backup; ` +
        'only if nothing was ever signed here, remove the key file and start again.',
    )
  }
  if (firstStart) createKey(path)
  else withKey(path, () => {})
  return {
    name: 'key-file',
    wrap: async (dataKey, context) => withKey(path, (key) => wrap(key, dataKey, context)),
    unwrap: async (wrapped, context) => withKey(path, (key) => unwrap(key, wrapped, context)),
  }
}

function createKey(path: string): void {
  const key = randomFillSync(Buffer.alloc(KEY_BYTES))
  createFileDurably(path, key)
  key.fill(0)
}

/** Reads the key for one use, so that it is in memory only for that long. */
function withKey<T>(path: string, use: (key: Uint8Array) => T): T {
  const key = readPrivateFile(path, KEY_BYTES)
  if (key === undefined) {
    throw new StartError(
      'key_encryption_key_missing',
      `${path} is missing. Restore it from a backup: without it no key that was ever stored can be opened.`,
    )
  }
  try {
    if (key.length !== KEY_BYTES) throw new StartError('file_damaged', `${path} must have exactly 32 bytes`)
    return use(key)
  } finally {
    key.fill(0)
  }
}

function wrap(key: Uint8Array, dataKey: Uint8Array, context: Uint8Array): Uint8Array {
  const nonce = randomFillSync(Buffer.alloc(NONCE_BYTES))
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context)
  const ciphertext = Buffer.concat([cipher.update(dataKey), cipher.final()])
  return Buffer.concat([Buffer.of(FORMAT), nonce, ciphertext, cipher.getAuthTag()])
}

function unwrap(key: Uint8Array, wrapped: Uint8Array, context: Uint8Array): Uint8Array {
  const refused = new StartError('data_key_refused', 'the wrapped data key is damaged or belongs to another key')
  const tagAt = wrapped.length - TAG_BYTES
  if (tagAt < HEADER_BYTES || wrapped[0] !== FORMAT) throw refused
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(1, HEADER_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(context).setAuthTag(wrapped.subarray(tagAt))
  const dataKey = decipherWithoutCopies(decipher, wrapped.subarray(HEADER_BYTES, tagAt))
  try {
    decipher.final()
  } catch {
    dataKey.fill(0)
    throw refused
  }
  return dataKey
}

/**
 * Byte by byte, into memory that the caller can wipe. Node deciphers into a buffer that is a block longer than the
 * result, copies that and frees it as it is: deciphered at once, half of a data key could stay in freed memory.
 * The result gets an ArrayBuffer of its own, since V8 moves and copies the short arrays that it allocates itself.
 */
function decipherWithoutCopies(decipher: DecipherGCM, ciphertext: Uint8Array): Uint8Array {
  const plaintext = Buffer.from(new ArrayBuffer(ciphertext.length))
  for (let at = 0; at < ciphertext.length; at++) {
    const byte = decipher.update(ciphertext.subarray(at, at + 1))
    byte.copy(plaintext, at)
    byte.fill(0)
  }
  return plaintext
}
