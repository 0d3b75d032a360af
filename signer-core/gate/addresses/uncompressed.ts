import { bytesToHex } from '../../protocol/bytes.ts'
import type { AddressFormatRule } from './address-format.ts'
import { anyCase } from './spellings.ts'

/** SEC 1 section 2.3.3 uncompressed point, hexadecimal without 0x. */
export const uncompressed: AddressFormatRule = {
  derive: (publicKey) => bytesToHex(publicKey),
  shape: /^04[0-9a-f]{128}$/i,
  isSpelling: anyCase,
}
