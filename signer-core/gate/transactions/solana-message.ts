/** Solana's wire transaction (its documentation, core concepts): signature slots, then a message, legacy or version 0. */
import { TransactionError } from './transaction.ts'
import { ByteReader, checkLength, checkSame, joinBytes } from './wire.ts'

/** Longest packet that validators take (PACKET_DATA_SIZE): 1280 bytes of IPv6 less its headers. */
export const SOLANA_BYTES_MAX = 1_232
/** First byte of a message of version 0; a legacy message begins with a number below 128. */
const VERSION_0 = 0x80
/** Accounts are named by one byte. */
const ACCOUNTS_MAX = 256

export interface SolanaInstruction {
  /** Index of a static account key. */
  program: number
  /** Indices into static keys, then all writable, then all read-only looked-up accounts. */
  accounts: Uint8Array
  data: Uint8Array
}

export interface SolanaLookup {
  /** 32 bytes. */
  table: Uint8Array
  /** Indices into the table. */
  writable: Uint8Array
  readonly: Uint8Array
}

export interface SolanaTransaction {
  /** 64 bytes each, zeros where nobody has signed yet; as many as `required`. */
  signatures: Uint8Array[]
  /** What every signer signs. */
  message: Uint8Array
  version: 'legacy' | 0
  /**
   * The first `required` keys sign; of these the last `readonlySigned`, and of the others the last `readonlyUnsigned`,
   * are not writable.
   */
  required: number
  readonlySigned: number
  readonlyUnsigned: number
  /** 32 bytes each. */
  keys: Uint8Array[]
  recentBlockhash: Uint8Array
  instructions: SolanaInstruction[]
  lookups: SolanaLookup[]
}

/** @throws {TransactionError} unless the bytes are exactly one transaction that a validator would load. */
export function readSolana(bytes: Uint8Array): SolanaTransaction {
  checkLength(bytes, SOLANA_BYTES_MAX)
  const reader = new ByteReader(bytes)
  const signatures = readList(reader, () => reader.take(64))
  const message = bytes.subarray(reader.position)
  const version = readVersion(reader)
  const header = { required: reader.byte(), readonlySigned: reader.byte(), readonlyUnsigned: reader.byte() }
  const transaction = {
    signatures,
    message,
    version,
    ...header,
    keys: readList(reader, () => reader.take(32)),
    recentBlockhash: reader.take(32),
    instructions: readList(reader, () => readInstruction(reader)),
    lookups: version === 0 ? readList(reader, () => readLookup(reader)) : [],
  }
  reader.end()
  checkSame(writeSolana(transaction), bytes)
  checkHeader(transaction)
  checkIndices(transaction)
  return transaction
}

function readVersion(reader: ByteReader): 'legacy' | 0 {
  const first = reader.peek() ?? 0
  if (first < VERSION_0) return 'legacy'
  if (first !== VERSION_0) throw new TransactionError('Solana messages of this version are not offered')
  reader.byte()
  return 0
}

function readInstruction(reader: ByteReader): SolanaInstruction {
  return { program: reader.byte(), accounts: readBytes(reader), data: readBytes(reader) }
}

function readLookup(reader: ByteReader): SolanaLookup {
  return { table: reader.take(32), writable: readBytes(reader), readonly: readBytes(reader) }
}

function readBytes(reader: ByteReader): Uint8Array {
  return reader.take(readLength(reader))
}

function readList<T>(reader: ByteReader, readItem: () => T): T[] {
  // An item takes a byte at least: a count beyond the bytes fails before the list is long.
  return Array.from({ length: readLength(reader) }, readItem)
}

/** compact-u16: seven bits per byte, least first, 16 bits in all, in as few bytes as possible. */
function readLength(reader: ByteReader): number {
  let length = 0
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = reader.byte()
    length += (byte & 0x7f) << shift
    if (byte >= 0x80) continue
    if (length > 0xffff || (byte === 0 && shift > 0)) break
    return length
  }
  throw new TransactionError('a length that is no compact-u16')
}

function checkHeader({ signatures, required, readonlySigned, readonlyUnsigned, keys }: SolanaTransaction): void {
  if (required === 0 || signatures.length !== required) {
    throw new TransactionError('not as many signature slots as the header wants')
  }
  // The fee payer, key 0, must be writable.
  if (readonlySigned >= required) throw new TransactionError('no writable signer')
  if (required + readonlyUnsigned > keys.length) throw new TransactionError('fewer keys than the header wants')
  if (new Set(keys.map((key) => key.join())).size !== keys.length) throw new TransactionError('an account key twice')
}

function checkIndices({ keys, instructions, lookups }: SolanaTransaction): void {
  const sizes = lookups.map(({ writable, readonly }) => writable.length + readonly.length)
  if (sizes.includes(0)) throw new TransactionError('a lookup of no account')
  const count = sizes.reduce((sum, size) => sum + size, keys.length)
  if (count > ACCOUNTS_MAX) throw new TransactionError('more accounts than can be named')
  for (const { program, accounts } of instructions) {
    // A program cannot pay, and cannot come from a table.
    if (program === 0 || program >= keys.length) throw new TransactionError('a program that is no static account')
    if (accounts.some((index) => index >= count))
      throw new TransactionError('an account that is not in the transaction')
  }
}

export function writeSolana(transaction: Omit<SolanaTransaction, 'message'>): Uint8Array {
  const { signatures, version, required, readonlySigned, readonlyUnsigned, keys } = transaction
  return joinBytes([
    ...listOf(signatures),
    Uint8Array.from(version === 0 ? [VERSION_0] : []),
    Uint8Array.of(required, readonlySigned, readonlyUnsigned),
    ...listOf(keys),
    transaction.recentBlockhash,
    ...listOf(transaction.instructions.map(writeInstruction)),
    ...(version === 0 ? listOf(transaction.lookups.map(writeLookup)) : []),
  ])
}

function writeInstruction({ program, accounts, data }: SolanaInstruction): Uint8Array {
  return joinBytes([Uint8Array.of(program), writeLength(accounts), accounts, writeLength(data), data])
}

function writeLookup({ table, writable, readonly }: SolanaLookup): Uint8Array {
  return joinBytes([table, writeLength(writable), writable, writeLength(readonly), readonly])
}

function listOf(items: Uint8Array[]): Uint8Array[] {
  return [writeLength(items), ...items]
}

function writeLength({ length }: { length: number }): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  if (length < 0x4000) return Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
  return Uint8Array.of((length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14)
}
