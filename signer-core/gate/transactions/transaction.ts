/** One kind of transaction: from untrusted bytes to what is signed, what policies may judge, and the signed form. */
import type { Scheme } from 'keystead:engine/engine@0.1.0'
import type { JsonObject } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'

/** The key that signs: uncompressed point or the 32 bytes of RFC 8032, and the address by which the body names it. */
export interface Signer {
  curve: 'secp256k1' | 'ed25519' | 'p256'
  publicKey: Uint8Array
  /** As in `signWith`: a key id or an address. */
  name: string
  /** x of the BIP-341 output key (32 bytes) for Bitcoin; without it no taproot input is known as the key's. */
  taprootOutputKey: Uint8Array | undefined
}

/** What one signature covers: a digest for ECDSA and BIP-340, the message itself for ed25519. */
export interface ToSign {
  scheme: Scheme
  message: Uint8Array
}

export interface ParsedTransaction {
  /**
   * Everything that the bytes say, under the keyword that policies use (`{ eth: { tx } }`): amounts and 64-bit numbers
   * as decimal strings, 32-bit numbers as numbers, bytes as hex. What a transaction does not have is left out, so that
   * a rule about it errors instead of matching.
   */
  facts: JsonObject
  /** In the order in which `assemble` wants the signatures; at least one. */
  toSign: ToSign[]
  /** @param signatures As the engine makes them: 65 bytes recovery id, r, s for ECDSA; 64 bytes otherwise. */
  assemble: (signatures: Uint8Array[]) => Uint8Array
}

export interface TransactionFormat {
  /** Curve that this kind of transaction is signed with. */
  curve: 'secp256k1' | 'ed25519'
  /**
   * Accepts only the canonical encoding: writing what was read gives the same bytes again.
   * @param bytes Untrusted, of any length.
   * @throws {TransactionError} for anything else.
   */
  parse: (bytes: Uint8Array, signer: Signer, digest: Digest) => ParsedTransaction
}

/** Why bytes are no transaction that we sign. Texts come from the code, never from the bytes. */
export class TransactionError extends Error {
  override name = 'TransactionError'
}
