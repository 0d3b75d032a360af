/**
 * Tron: `Transaction.raw` of Tron.proto in, `Transaction` with one signature out. A node overlooks fields that it does
 * not know; here they are refused on every level.
 */
import { concatBytes } from '../../protocol/bytes.ts'
import type { JsonObject } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { writeProtobuf } from './protobuf.ts'
import { onlySignature, recoverable } from './signature.ts'
import { accountOf } from './signer-key.ts'
import { readTronContract } from './tron-contracts.ts'
import { amount, hex, readTronMessage, tronAddress, type TronMessage } from './tron-fields.ts'
import { TransactionError, type ParsedTransaction, type Signer, type TransactionFormat } from './transaction.ts'
import { checkLength } from './wire.ts'

/** Transaction.raw. Its `auths` (9) and `scripts` (12) mean nothing on the chain and are refused. */
const raw: TronMessage = {
  1: hex('ref_block_bytes', 2),
  3: amount('ref_block_num'),
  4: hex('ref_block_hash', 8),
  8: { ...amount('expiration'), absent: undefined },
  10: hex('data'),
  // A list by its definition; nodes take exactly one.
  11: { name: 'contract', absent: undefined, read: (value, digest) => [readTronContract(value, digest)] },
  14: amount('timestamp'),
  18: amount('fee_limit'),
}

/** An account may have given its permissions to other keys; then, and only then, the contract names one. */
function checkOwner(facts: JsonObject, signer: Signer, digest: Digest): void {
  const [contract] = facts.contract as JsonObject[]
  const own = tronAddress(concatBytes(Uint8Array.of(0x41), accountOf(signer, digest)), digest)
  if (contract?.permission_id === 0 && contract.owner_address !== own) {
    throw new TransactionError('the owner of the contract is not the signing key, and no permission is named')
  }
}

/** Transaction {1: raw, 2: signature}; the last byte is 27 or 28, as TronWeb writes it. */
function assemble(bytes: Uint8Array, signature: Uint8Array): Uint8Array {
  const { r, s, parity } = recoverable(signature)
  return writeProtobuf([
    { number: 1, value: bytes },
    { number: 2, value: concatBytes(r, s, Uint8Array.of(27 + parity)) },
  ])
}

export const tron: TransactionFormat = {
  curve: 'secp256k1',
  parse(bytes: Uint8Array, signer: Signer, digest: Digest): ParsedTransaction {
    checkLength(bytes)
    const facts = readTronMessage(bytes, raw, digest)
    checkOwner(facts, signer, digest)
    return {
      facts: { tron: { tx: facts } },
      toSign: [{ scheme: 'ecdsa', message: digest('sha256', bytes) }],
      assemble: (signatures) => assemble(bytes, onlySignature(signatures, 65)),
    }
  },
}
