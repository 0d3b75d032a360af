/** From a key that the body names to signatures: which scheme, what is committed to, what the client sees. */
import { digest, sign, type Scheme } from 'keystead:engine/engine@0.1.0'
import { bytesToHex } from '../protocol/bytes.ts'
import type { JsonObject } from '../protocol/strict-json.ts'
import { refusingSeal } from './border.ts'
import { sealedKeyOf } from './key-binding.ts'
import type { ToSign } from './transactions/transaction.ts'
import type { KeyRecord } from './wit-types.ts'

/** @throws {RefusalError} `SEALED_KEY_REFUSED` when the record is not what was sealed for this organization. */
export function signAll(key: KeyRecord, organizationId: string, toSign: ToSign[]): Uint8Array[] {
  const sealedKey = sealedKeyOf(key, organizationId)
  return refusingSeal(() => toSign.map(({ scheme, message }) => sign(sealedKey, scheme, message)))
}

/** What signing commits to: the key and the digest of every message, each with its scheme. */
export function signingCommitment(operation: string, key: KeyRecord, toSign: ToSign[]): JsonObject {
  return {
    operation,
    keyId: key.keyId,
    curve: key.curve,
    publicKey: bytesToHex(key.publicKey),
    messages: toSign.map((each) => ({ scheme: each.scheme, digest: bytesToHex(digestOf(each)) })),
  }
}

/** Only ed25519 signs messages of any length; the other schemes sign 32 bytes, which are a digest themselves. */
function digestOf({ scheme, message }: ToSign): Uint8Array {
  return scheme === 'eddsa' ? digest('sha256', message) : message
}

/**
 * A signature as the wire shows it: 32-byte halves in hexadecimal, never trimmed; `v` is the recovery id for ECDSA and
 * 00 for everything else.
 */
export function presentSignature(signature: Uint8Array, scheme: Scheme): { r: string; s: string; v: string } {
  const v = scheme === 'ecdsa' ? signature.subarray(0, 1) : Uint8Array.of(0)
  const rs = scheme === 'ecdsa' ? signature.subarray(1) : signature
  return { r: bytesToHex(rs.subarray(0, 32)), s: bytesToHex(rs.subarray(32)), v: bytesToHex(v) }
}
