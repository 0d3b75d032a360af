/** Bitcoin's own transaction format (BIP-144 with witness, before it without), as PSBTs carry it. */
import { concatBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { TransactionError } from './transaction.ts'
import { ByteReader, joinBytes, littleEndian } from './wire.ts'

/** All there will ever be, in satoshi: 21 million BTC (Bitcoin Core, MAX_MONEY). */
export const MONEY_MAX = 2_100_000_000_000_000n

export interface BitcoinInput {
  /** Transaction id in the order of the bytes (the reverse of how it is shown) and 32-bit index. */
  outpoint: Uint8Array
  vout: number
  scriptSig: Uint8Array
  sequence: number
}

export interface BitcoinOutput {
  /** Satoshi. */
  value: bigint
  script: Uint8Array
}

export interface BitcoinTransaction {
  /** Unsigned 32 bits. */
  version: number
  inputs: BitcoinInput[]
  outputs: BitcoinOutput[]
  locktime: number
}

/** CompactSize in its shortest form. @throws {TransactionError} also beyond 32 bits: nothing is that long. */
export function readCompactSize(reader: ByteReader): number {
  const first = reader.byte()
  if (first < 0xfd) return first
  if (first === 0xff) throw new TransactionError('a length beyond all limits')
  const size = first === 0xfd ? reader.uint16() : reader.uint32()
  if (size < (first === 0xfd ? 0xfd : 0x1_0000)) throw new TransactionError('a length that is not minimal')
  return size
}

export function compactSize(size: number): Uint8Array {
  if (size < 0xfd) return Uint8Array.of(size)
  if (size < 0x1_0000) return concatBytes(Uint8Array.of(0xfd), littleEndian(size, 2))
  return concatBytes(Uint8Array.of(0xfe), littleEndian(size, 4))
}

export function withSize(bytes: Uint8Array): Uint8Array {
  return concatBytes(compactSize(bytes.length), bytes)
}

/** @throws {TransactionError} unless the bytes are one transaction with inputs and without witness. */
export function readUnsigned(bytes: Uint8Array): BitcoinTransaction {
  const reader = new ByteReader(bytes)
  const version = reader.uint32()
  // BIP-144's marker looks like an empty list of inputs.
  if (reader.peek() === 0) throw new TransactionError('an unsigned transaction without inputs, or with witness')
  const transaction = readBody(reader, version, () => {})
  reader.end()
  return transaction
}

/** @throws {TransactionError} unless the bytes are one transaction, with witness or without. */
export function readSigned(bytes: Uint8Array): BitcoinTransaction {
  const reader = new ByteReader(bytes)
  const version = reader.uint32()
  // No inputs, then flag 1: BIP-144's marker.
  const hasWitness = reader.peek() === 0 && reader.peek(1) === 1
  if (hasWitness) reader.take(2)
  const transaction = readBody(reader, version, (inputs) => {
    if (hasWitness) inputs.forEach(() => readList(reader, () => reader.take(readCompactSize(reader))))
  })
  reader.end()
  return transaction
}

function readBody(
  reader: ByteReader,
  version: number,
  skipWitness: (inputs: BitcoinInput[]) => void,
): BitcoinTransaction {
  const inputs = readList(reader, () => readInput(reader))
  const outputs = readList(reader, () => readOutput(reader))
  skipWitness(inputs)
  return { version, inputs, outputs, locktime: reader.uint32() }
}

function readList<T>(reader: ByteReader, readItem: () => T): T[] {
  const items: T[] = []
  // No array of the stated length: the statement may be false, and the bytes end first.
  for (let left = readCompactSize(reader); left > 0; left--) items.push(readItem())
  return items
}

function readInput(reader: ByteReader): BitcoinInput {
  const outpoint = reader.take(36)
  const vout = new ByteReader(outpoint.subarray(32)).uint32()
  return { outpoint, vout, scriptSig: reader.take(readCompactSize(reader)), sequence: reader.uint32() }
}

/** @throws {TransactionError} for more money than there is. */
export function readOutput(reader: ByteReader): BitcoinOutput {
  const value = reader.uint64()
  if (value > MONEY_MAX) throw new TransactionError('an output above all the money there is')
  return { value, script: reader.take(readCompactSize(reader)) }
}

/** Without witness: what transaction ids are made of. */
export function writeTransaction({ version, inputs, outputs, locktime }: BitcoinTransaction): Uint8Array {
  return joinBytes([
    littleEndian(version, 4),
    compactSize(inputs.length),
    ...inputs.flatMap(({ outpoint, scriptSig, sequence }) => [
      outpoint,
      withSize(scriptSig),
      littleEndian(sequence, 4),
    ]),
    compactSize(outputs.length),
    ...outputs.map(writeOutput),
    littleEndian(locktime, 4),
  ])
}

export function writeOutput({ value, script }: BitcoinOutput): Uint8Array {
  return concatBytes(littleEndian(value, 8), withSize(script))
}

/** In the order of the bytes. */
export function transactionId(transaction: BitcoinTransaction, digest: Digest): Uint8Array {
  return sha256Twice(writeTransaction(transaction), digest)
}

export function sha256Twice(bytes: Uint8Array, digest: Digest): Uint8Array {
  return digest('sha256', digest('sha256', bytes))
}
