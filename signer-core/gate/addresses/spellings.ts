/** When two texts are the same address. */
import { tonAccount } from '../../protocol/key-names.ts'

/** Base58 and strkeys: every letter counts. */
export const exact = (name: string, address: string): boolean => name === address

/** Hexadecimal without a checksum. */
export const anyCase = (name: string, address: string): boolean => name.toLowerCase() === address.toLowerCase()

/** Bech32 (BIP-173): all letters lower-case, as we write it, or all upper-case. */
export const oneCase = (name: string, address: string): boolean => name === address || name === address.toUpperCase()

/** EIP-55: letters of both cases are a checksum, which must be right; of one case they are none. */
export function checksummed(name: string, address: string): boolean {
  const [digits, right] = [name.slice(2), address.slice(2)]
  return digits === right || digits === right.toLowerCase() || digits === right.toUpperCase()
}

/** TEP-2: bounceable, not bounceable and raw are one account. */
export const sameTonAccount = (name: string, address: string): boolean => tonAccount(name) === tonAccount(address)
