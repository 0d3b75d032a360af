/** The code of an account that has delegated (EIP-7702): 0xef0100 and the delegate's address. */
import { concat, getAddress, isHex, size, slice, type Address, type Hex } from 'viem'

const DESIGNATOR_PREFIX: Hex = '0xef0100'

export function designatorOf(delegate: Address): Hex {
  return concat([DESIGNATOR_PREFIX, delegate]).toLowerCase() as Hex
}

/** @returns undefined for no code and for a contract's. */
export function delegateOf(code: Hex | undefined): Address | undefined {
  if (!isHex(code) || size(code) !== 23 || slice(code, 0, 3) !== DESIGNATOR_PREFIX) return undefined
  return getAddress(slice(code, 3))
}
