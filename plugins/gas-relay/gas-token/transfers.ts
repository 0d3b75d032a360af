/** What a batch, or a receipt, pays to the collector in one token. Pure. */
import {
  decodeAbiParameters,
  encodeAbiParameters,
  keccak256,
  size,
  slice,
  toFunctionSelector,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import type { Call, Log } from '../delegates/delegate.ts'

/** ERC-20. */
const TRANSFER = toFunctionSelector('transfer(address,uint256)')
const TRANSFERRED = keccak256(toHex('Transfer(address,address,uint256)'))
/** Selector and two words. */
const TRANSFER_BYTES = 68

export interface Payment {
  readonly token: Address
  readonly from: Address
  readonly collector: Address
}

/** Of plain calls of `transfer`, as their owner has signed them; other ways to pay are not read. */
export function promisedBy(calls: readonly Call[], { token, collector }: Omit<Payment, 'from'>): bigint {
  let sum = 0n
  for (const { to, value, data } of calls) {
    if (to !== token || value !== 0n || size(data) !== TRANSFER_BYTES || slice(data, 0, 4) !== TRANSFER) continue
    if (slice(data, 4, 36) !== wordOf(collector)) continue
    sum += BigInt(slice(data, 36))
  }
  return sum
}

/** What has really moved, by the token's own events. */
export function paidIn(logs: readonly Log[], { token, from, collector }: Payment): bigint {
  const topics = [TRANSFERRED, wordOf(from), wordOf(collector)]
  let sum = 0n
  for (const { address, topics: said, data } of logs) {
    if (address.toLowerCase() !== token.toLowerCase() || said.length !== topics.length || size(data) !== 32) continue
    if (topics.every((topic, i) => said[i] === topic)) sum += decodeAbiParameters([{ type: 'uint256' }], data)[0]
  }
  return sum
}

function wordOf(address: Address): Hex {
  return encodeAbiParameters([{ type: 'address' }], [address])
}
