import { base32 } from '@scure/base'
import { concatBytes } from '../../protocol/bytes.ts'
import { crc16Xmodem } from '../../protocol/crc16.ts'
import type { AddressFormatRule } from './address-format.ts'
import { exact } from './spellings.ts'

/** SEP-23: version of an ed25519 account, 6 << 3. */
const ACCOUNT = 0x30

/** Strkey (SEP-23): base32 of version, public key and checksum, the latter with its low byte first. */
export const xlm: AddressFormatRule = {
  derive(publicKey) {
    const payload = concatBytes(Uint8Array.of(ACCOUNT), publicKey)
    const checksum = crc16Xmodem(payload)
    return base32.encode(concatBytes(payload, Uint8Array.of(checksum & 255, checksum >> 8)))
  },
  shape: /^G[A-Z2-7]{55}$/,
  isSpelling: exact,
}
