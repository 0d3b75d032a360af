import { bytesToHex, utf8ToBytes } from '../../protocol/bytes.ts'
import type { AddressFormatRule } from './address-format.ts'
import { evmAccount } from './hashes.ts'
import { checksummed } from './spellings.ts'

/** The account in hexadecimal with EIP-55 letters. */
export const ethereum: AddressFormatRule = {
  derive(publicKey, { digest }) {
    const digits = bytesToHex(evmAccount(publicKey, digest))
    const checksum = bytesToHex(digest('keccak256', utf8ToBytes(digits)))
    const cased = digits.replace(/[a-f]/g, (digit, at: number) =>
      (checksum[at] as string) >= '8' ? digit.toUpperCase() : digit,
    )
    return `0x${cased}`
  },
  shape: /^0x[0-9a-f]{40}$/i,
  isSpelling: checksummed,
}
