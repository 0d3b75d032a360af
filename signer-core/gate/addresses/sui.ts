import { bytesToHex, concatBytes } from '../../protocol/bytes.ts'
import type { AddressFormatRule } from './address-format.ts'
import { anyCase } from './spellings.ts'

/** Sui's signature scheme flag for ed25519. */
const ED25519_FLAG = Uint8Array.of(0)

/** BLAKE2b-256 of flag and public key, always 64 digits. */
export const sui: AddressFormatRule = {
  derive: (publicKey, { digest }) => `0x${bytesToHex(digest('blake2b256', concatBytes(ED25519_FLAG, publicKey)))}`,
  shape: /^0x[0-9a-f]{64}$/i,
  isSpelling: anyCase,
}
