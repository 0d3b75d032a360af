import { publicKeyHex } from '../public-key.ts'
import type { AddressFormatRule } from './address-format.ts'
import { anyCase } from './spellings.ts'

/** SEC 1 section 2.3.3 compressed point or the 32 bytes of RFC 8032, hexadecimal without 0x. */
export const compressed: AddressFormatRule = {
  derive: (publicKey) => publicKeyHex(publicKey),
  shape: /^(?:0[23])?[0-9a-f]{64}$/i,
  isSpelling: anyCase,
}
