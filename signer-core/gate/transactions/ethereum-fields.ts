/** The fields of Ethereum transactions: each reads one RLP item into what policies see of it. */
import { bytesToHex } from '../../protocol/bytes.ts'
import type { JsonValue } from '../../protocol/strict-json.ts'
import { rlpInteger, type RlpItem } from './rlp.ts'
import { TransactionError } from './transaction.ts'

/** EIP-2294: the highest chain id whose `v` still fits 64 bits. */
const CHAIN_ID_MAX = (1n << 63n) - 37n
/** Order of secp256k1 (SEC 2 section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const uint256 = (item: RlpItem) => rlpInteger(item, 256).toString()
const uint64 = (item: RlpItem) => rlpInteger(item, 64).toString()

export const ethereumFields = {
  chain_id: chainId,
  nonce: uint64,
  gas_price: uint256,
  max_priority_fee_per_gas: uint256,
  max_fee_per_gas: uint256,
  max_fee_per_blob_gas: uint256,
  gas: uint64,
  /** Empty: the transaction creates a contract. */
  to: (item) => (string(item).length === 0 ? '' : address(item)),
  value: uint256,
  data: (item) => hex(string(item)),
  access_list: (item) => list(item).map(accessListEntry),
  blob_versioned_hashes: (item) => notEmpty(list(item)).map(blobHash),
  authorization_list: (item) => notEmpty(list(item)).map(authorization),
} as const satisfies Record<string, (item: RlpItem) => JsonValue>

export type EthereumField = keyof typeof ethereumFields

function chainId(item: RlpItem): string {
  const id = rlpInteger(item, 64)
  if (id === 0n || id > CHAIN_ID_MAX) throw new TransactionError('no such chain id')
  return id.toString()
}

/** EIP-2930. */
function accessListEntry(item: RlpItem): JsonValue {
  const [account, keys] = tuple(item, 2)
  return { address: address(account), storage_keys: list(keys).map((key) => hex(fixed(key, 32))) }
}

/** EIP-4844: a KZG commitment's hash, version 1. */
function blobHash(item: RlpItem): string {
  const hash = fixed(item, 32)
  if (hash[0] !== 0x01) throw new TransactionError('blob hash of an unknown version')
  return hex(hash)
}

/** EIP-7702: signed before by the account that gives its code away; chain id 0 stands for every chain. */
function authorization(item: RlpItem): JsonValue {
  const [chain, account, nonce, parity, r, s] = tuple(item, 6)
  const yParity = Number(rlpInteger(parity, 8))
  if (yParity > 1) throw new TransactionError('authorization with a wrong y parity')
  return {
    chain_id: uint256(chain),
    address: address(account),
    nonce: uint64(nonce),
    y_parity: yParity,
    r: signatureNumber(r, ORDER - 1n),
    s: signatureNumber(s, ORDER / 2n),
  }
}

function signatureNumber(item: RlpItem, max: bigint): string {
  const number = rlpInteger(item, 256)
  if (number === 0n || number > max) throw new TransactionError('authorization with an impossible signature')
  return `0x${number.toString(16).padStart(64, '0')}`
}

function list(item: RlpItem | undefined): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw new TransactionError('bytes where a list should be')
  return item
}

function notEmpty(items: readonly RlpItem[]): readonly RlpItem[] {
  if (items.length === 0) throw new TransactionError('a list that must not be empty')
  return items
}

type Six<T> = [T, T, T, T, T, T]

/** A list of exactly `length` items; the type is as long as the longest that is asked for. */
function tuple(item: RlpItem, length: number): Six<RlpItem> {
  const items = list(item)
  if (items.length !== length) throw new TransactionError('a list of the wrong length')
  return items as Six<RlpItem>
}

function string(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new TransactionError('a list where bytes should be')
  return item
}

function fixed(item: RlpItem, length: number): Uint8Array {
  const bytes = string(item)
  if (bytes.length !== length) throw new TransactionError(`a field that is not ${length} bytes long`)
  return bytes
}

function address(item: RlpItem): string {
  return hex(fixed(item, 20))
}

export function hex(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`
}
