/** What a signature of an input covers: SIGHASH_ALL before SegWit and by BIP-143, SIGHASH_DEFAULT by BIP-341. */
import { concatBytes, utf8ToBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import {
  sha256Twice,
  withSize,
  writeOutput,
  writeTransaction,
  type BitcoinInput,
  type BitcoinOutput,
  type BitcoinTransaction,
} from './bitcoin-transaction.ts'
import { joinBytes, littleEndian } from './wire.ts'

const SIGHASH_ALL = 1

export interface Sighashes {
  /** 32 bytes for ECDSA. @param scriptCode Script of the output that is spent, or the redeem script. */
  legacy: (index: number, scriptCode: Uint8Array) => Uint8Array
  /** 32 bytes for ECDSA. @param value Satoshi of the output that is spent. */
  segwit: (index: number, scriptCode: Uint8Array, value: bigint) => Uint8Array
  /** 32 bytes for BIP-340. @param spent The outputs that all inputs spend, the same in every call. */
  taproot: (index: number, spent: readonly BitcoinOutput[]) => Uint8Array
}

/** What is the same for all inputs is hashed once: many inputs must not take the square of their time. */
export function sighashes(transaction: BitcoinTransaction, digest: Digest): Sighashes {
  const { version, inputs, outputs, locktime } = transaction
  const sha256 = (parts: Uint8Array[]) => digest('sha256', joinBytes(parts))
  const outpointsHash = once(() => sha256(inputs.map(({ outpoint }) => outpoint)))
  const sequencesHash = once(() => sha256(inputs.map(({ sequence }) => littleEndian(sequence, 4))))
  const outputsHash = once(() => sha256(outputs.map(writeOutput)))
  const spentHashes = once((spent: readonly BitcoinOutput[]) => [
    sha256(spent.map(({ value }) => littleEndian(value, 8))),
    sha256(spent.map(({ script }) => withSize(script))),
  ])

  return {
    legacy(index, scriptCode) {
      const scripted = inputs.map((input, i) => (i === index ? { ...input, scriptSig: scriptCode } : input))
      const preimage = writeTransaction({ ...transaction, inputs: scripted })
      return sha256Twice(concatBytes(preimage, littleEndian(SIGHASH_ALL, 4)), digest)
    },
    segwit(index, scriptCode, value) {
      const { outpoint, sequence } = inputs[index] as BitcoinInput
      const preimage = joinBytes([
        littleEndian(version, 4),
        // BIP-143 hashes these twice, BIP-341 once.
        digest('sha256', outpointsHash()),
        digest('sha256', sequencesHash()),
        outpoint,
        withSize(scriptCode),
        littleEndian(value, 8),
        littleEndian(sequence, 4),
        digest('sha256', outputsHash()),
        littleEndian(locktime, 4),
        littleEndian(SIGHASH_ALL, 4),
      ])
      return sha256Twice(preimage, digest)
    },
    taproot(index, spent) {
      const message = joinBytes([
        // Epoch 0, hash type SIGHASH_DEFAULT.
        Uint8Array.of(0, 0),
        littleEndian(version, 4),
        littleEndian(locktime, 4),
        outpointsHash(),
        ...spentHashes(spent),
        sequencesHash(),
        outputsHash(),
        // Key path, no annex.
        Uint8Array.of(0),
        littleEndian(index, 4),
      ])
      const tag = digest('sha256', utf8ToBytes('TapSighash'))
      return sha256([tag, tag, message])
    },
  }
}

function once<Arguments extends unknown[], Result>(make: (...args: Arguments) => Result) {
  let made: { result: Result } | undefined
  return (...args: Arguments): Result => (made ??= { result: make(...args) }).result
}
