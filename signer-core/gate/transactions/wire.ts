/** Reading, joining and comparing bytes: what the transaction formats have in common. */
import { equalBytes } from '../../protocol/bytes.ts'
import { TransactionError } from './transaction.ts'

/** Longest transaction of any kind. go-ethereum's pool takes no more (txMaxSize), and in hex it fits a body. */
export const TRANSACTION_BYTES_MAX = 131_072

/** Reads forward over untrusted bytes. Integers are little-endian, as Bitcoin and Solana write them. */
export class ByteReader {
  private at = 0
  private readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get position(): number {
    return this.at
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length
  }

  /** The next byte without taking it; undefined at the end. */
  peek(ahead = 0): number | undefined {
    return this.bytes[this.at + ahead]
  }

  take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) throw new TransactionError('the bytes end too early')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  byte(): number {
    return this.take(1)[0] as number
  }

  uint16(): number {
    return this.byte() + this.byte() * 0x1_00
  }

  uint32(): number {
    return this.uint16() + this.uint16() * 0x1_0000
  }

  uint64(): bigint {
    const low = BigInt(this.uint32())
    return low + (BigInt(this.uint32()) << 32n)
  }

  /** @throws {TransactionError} when bytes are left. */
  end(): void {
    if (!this.atEnd) throw new TransactionError('bytes after the end of the transaction')
  }
}

/** `concatBytes` for lists too long to be arguments of one call. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** @param value Unsigned, below 2^(8 * length). */
export function littleEndian(value: number | bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let rest = BigInt(value)
  for (let i = 0; i < length; i++) {
    bytes[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return bytes
}

export function checkLength(bytes: Uint8Array, max = TRANSACTION_BYTES_MAX): void {
  if (bytes.length === 0) throw new TransactionError('there are no bytes')
  if (bytes.length > max) throw new TransactionError(`the transaction is longer than ${max} bytes`)
}

/** What was read must give the same bytes again, so that no second reader of them can see another transaction. */
export function checkSame(written: Uint8Array, read: Uint8Array): void {
  if (!equalBytes(written, read)) throw new TransactionError('the encoding is not canonical')
}
