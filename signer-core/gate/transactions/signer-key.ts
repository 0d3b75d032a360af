/** The forms in which the chains know a secp256k1 key. */
import { concatBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { TransactionError, type Signer } from './transaction.ts'

/** X and Y, 64 bytes. @throws {TransactionError} when the key is on another curve. */
function coordinates({ curve, publicKey }: Signer): Uint8Array {
  if (curve !== 'secp256k1' || publicKey.length !== 65 || publicKey[0] !== 0x04) {
    throw new TransactionError('this kind of transaction needs a secp256k1 key')
  }
  return publicKey.subarray(1)
}

/** Last 20 bytes of keccak256 of X and Y (Yellow Paper, appendix F); Tron's accounts are the same. */
export function accountOf(signer: Signer, digest: Digest): Uint8Array {
  return digest('keccak256', coordinates(signer)).subarray(12)
}

/** SEC 1 section 2.3.3: 33 bytes. */
export function compressedKey(signer: Signer): Uint8Array {
  const point = coordinates(signer)
  return concatBytes(Uint8Array.of(0x02 + ((point[63] as number) & 1)), point.subarray(0, 32))
}
