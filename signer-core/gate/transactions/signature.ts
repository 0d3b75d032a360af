/** The engine's signatures in the forms that transactions want. */
import { concatBytes } from '../../protocol/bytes.ts'
import { TransactionError } from './transaction.ts'

export interface RecoverableSignature {
  /** 0 or 1: parity of y of R. */
  parity: number
  /** 32 bytes each, big-endian, not zero. */
  r: Uint8Array
  s: Uint8Array
}

/** The one signature of a transaction with one signer. */
export function onlySignature(signatures: readonly Uint8Array[], length: number): Uint8Array {
  const [signature] = signatures
  if (signatures.length !== 1 || signature?.length !== length) throw new Error('not the signature that was asked for')
  return signature
}

/**
 * @param signature 65 bytes: recovery id, r, s.
 * @throws {TransactionError} for recovery ids 2 and 3 (one signature in 2^127), which these chains cannot write.
 */
export function recoverable(signature: Uint8Array): RecoverableSignature {
  const parity = signature[0] as number
  if (parity > 1) throw new TransactionError('the signature has no form on this chain; change the transaction')
  return { parity, r: signature.subarray(1, 33), s: signature.subarray(33) }
}

/** ASN.1 DER of (r, s) with minimal integers (BIP-66). @param signature 65 bytes: recovery id, r, s. */
export function derSignature(signature: Uint8Array): Uint8Array {
  const integers = concatBytes(derInteger(signature.subarray(1, 33)), derInteger(signature.subarray(33)))
  return concatBytes(Uint8Array.of(0x30, integers.length), integers)
}

function derInteger(bytes: Uint8Array): Uint8Array {
  const minimal = withoutLeadingZeros(bytes)
  // DER integers are signed: a first bit of one would make it negative.
  const padded = (minimal[0] as number) >= 0x80 ? concatBytes(Uint8Array.of(0), minimal) : minimal
  return concatBytes(Uint8Array.of(0x02, padded.length), padded)
}

/** Big-endian integer in as few bytes as possible; zero is the empty string. */
export function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  return bytes.subarray(zeros)
}
