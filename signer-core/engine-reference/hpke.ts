/**
 * RFC 9180, base mode, single shot: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Synchronous, which WebCrypto
 * and so @hpke/core are not. `info` and the additional data are what the wire's bundles use.
 */
import { gcm } from '@noble/ciphers/aes.js'
import { p256 } from '@noble/curves/nist.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Parcel } from 'keystead:engine/engine@0.1.0'
import { concatBytes, utf8ToBytes } from '../protocol/bytes.ts'

const INFO = utf8ToBytes('turnkey_hpke')
const VERSION = utf8ToBytes('HPKE-v1')
/** Section 7: identifiers of KEM, KDF and AEAD. */
const KEM_SUITE = concatBytes(utf8ToBytes('KEM'), Uint8Array.of(0x00, 0x10))
const HPKE_SUITE = concatBytes(utf8ToBytes('HPKE'), Uint8Array.of(0x00, 0x10, 0x00, 0x01, 0x00, 0x02))
const MODE_BASE = Uint8Array.of(0)
const NONE = new Uint8Array(0)

/** Section 4. */
function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, input: Uint8Array): Uint8Array {
  return extract(sha256, concatBytes(VERSION, suite, utf8ToBytes(label), input), salt)
}

function labeledExpand(suite: Uint8Array, key: Uint8Array, label: string, info: Uint8Array, lengthBytes: number) {
  const length = Uint8Array.of(lengthBytes >> 8, lengthBytes & 255)
  return expand(sha256, key, concatBytes(length, VERSION, suite, utf8ToBytes(label), info), lengthBytes)
}

/** Section 4.1, ExtractAndExpand: from the Diffie-Hellman value to the KEM's shared secret, 32 bytes. */
export function sharedSecret(dh: Uint8Array, encapsulated: Uint8Array, recipient: Uint8Array): Uint8Array {
  const prk = labeledExtract(KEM_SUITE, NONE, 'eae_prk', dh)
  const shared = labeledExpand(KEM_SUITE, prk, 'shared_secret', concatBytes(encapsulated, recipient), 32)
  prk.fill(0)
  return shared
}

/** Section 5.1, KeySchedule: from the shared secret to the AEAD's key and its first nonce. */
export function keySchedule(shared: Uint8Array, info: Uint8Array): { key: Uint8Array; nonce: Uint8Array } {
  const pskIdHash = labeledExtract(HPKE_SUITE, NONE, 'psk_id_hash', NONE)
  const infoHash = labeledExtract(HPKE_SUITE, NONE, 'info_hash', info)
  const context = concatBytes(MODE_BASE, pskIdHash, infoHash)
  const secret = labeledExtract(HPKE_SUITE, shared, 'secret', NONE)
  const key = labeledExpand(HPKE_SUITE, secret, 'key', context, 32)
  const nonce = labeledExpand(HPKE_SUITE, secret, 'base_nonce', context, 12)
  secret.fill(0)
  return { key, nonce }
}

function schedule(dh: Uint8Array, encapsulated: Uint8Array, recipient: Uint8Array) {
  const shared = sharedSecret(dh, encapsulated, recipient)
  try {
    return keySchedule(shared, INFO)
  } finally {
    shared.fill(0)
  }
}

/** Uncompressed, on the curve and not infinity. @throws `bad-input` */
function checkedPoint(publicKey: Uint8Array): Uint8Array {
  try {
    const point = p256.Point.fromBytes(publicKey)
    point.assertValidity()
    return point.toBytes(false)
  } catch {
    throw 'bad-input'
  }
}

/** The x of the shared point, 32 bytes. */
export function exchange(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return p256.getSharedSecret(secretKey, publicKey, true).slice(1)
}

/** @throws `bad-input` when the recipient is no point of the curve. */
export function sealTo(recipientKey: Uint8Array, plaintext: Uint8Array): Parcel {
  const recipient = checkedPoint(recipientKey)
  const ephemeral = p256.utils.randomSecretKey()
  const encapsulated = p256.getPublicKey(ephemeral, false)
  const dh = exchange(ephemeral, recipient)
  const { key, nonce } = schedule(dh, encapsulated, recipient)
  try {
    const ciphertext = gcm(key, nonce, concatBytes(encapsulated, recipient)).encrypt(plaintext)
    return { encapsulated, ciphertext }
  } finally {
    for (const each of [ephemeral, dh, key, nonce]) each.fill(0)
  }
}

/** The caller overwrites the answer. @throws `bad-seal` when the parcel was not sealed to this key. */
export function openWith(secretKey: Uint8Array, publicKey: Uint8Array, parcel: Parcel): Uint8Array {
  const encapsulated = checkedPoint(parcel.encapsulated)
  const dh = exchange(secretKey, encapsulated)
  const { key, nonce } = schedule(dh, encapsulated, publicKey)
  try {
    return gcm(key, nonce, concatBytes(encapsulated, publicKey)).decrypt(parcel.ciphertext)
  } catch {
    throw 'bad-seal'
  } finally {
    for (const each of [dh, key, nonce]) each.fill(0)
  }
}
