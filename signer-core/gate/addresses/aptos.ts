import { bytesToHex, concatBytes } from '../../protocol/bytes.ts'
import type { AddressFormatRule } from './address-format.ts'
import { anyCase } from './spellings.ts'

/** Aptos' authentication scheme of a single ed25519 key. */
const SINGLE_ED25519 = Uint8Array.of(0)

/** Authentication key, SHA3-256 of public key and scheme, always 64 digits (AIP-40). */
export const aptos: AddressFormatRule = {
  derive: (publicKey, { digest }) => `0x${bytesToHex(digest('sha3-256', concatBytes(publicKey, SINGLE_ED25519)))}`,
  shape: /^0x[0-9a-f]{64}$/i,
  isSpelling: anyCase,
}
