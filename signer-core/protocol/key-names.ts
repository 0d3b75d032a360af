/**
 * One form for all spellings of a key's name, so that gateway (index) and signer (comparison) agree.
 *
 * A spelling that an address format does not allow may have the same form: the form finds a key, the signer decides.
 */
import { bytesToHex } from './bytes.ts'
import { crc16Xmodem } from './crc16.ts'

const HEX = /^(?:0x)?[0-9a-f]+$/i
/** BIP-173: all upper-case is the same as all lower-case, a mixture is nothing. */
const UPPER_BECH32 = /^[A-Z]{2,10}1[02-9AC-HJ-NP-Z]{38,}$/

/** @param name A key id, an address or a public key, of any spelling; anything else comes back as it is. */
export function lookupForm(name: string): string {
  if (HEX.test(name) || UPPER_BECH32.test(name)) return name.toLowerCase()
  return tonAccount(name) ?? name
}

const RAW_TON = /^0:[0-9a-f]{64}$/i
/** E and U with Q are the tags 0x11 (bounceable) and 0x51 (not bounceable), both of the main network. */
const FRIENDLY_TON = /^[EU]Q[A-Za-z0-9_-]{46}$/

/**
 * The raw form (`0:` and lower-case hexadecimal) of a TON account, from the raw or the friendly URL-safe form (TEP-2)
 * on mainnet and workchain 0; undefined for anything else, a wrong checksum among it.
 */
export function tonAccount(name: string): string | undefined {
  if (RAW_TON.test(name)) return name.toLowerCase()
  if (!FRIENDLY_TON.test(name)) return undefined
  const bytes = base64UrlToBytes(name)
  const checksum = ((bytes[34] as number) << 8) | (bytes[35] as number)
  if (bytes[1] !== 0 || checksum !== crc16Xmodem(bytes.subarray(0, 34))) return undefined
  return `0:${bytesToHex(bytes.subarray(2, 34))}`
}

const BASE64_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** RFC 4648 section 5, for texts of whole groups of four characters of the alphabet. */
function base64UrlToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length / 4) * 3)
  for (let i = 0; i < text.length / 4; i++) {
    let group = 0
    for (const letter of text.slice(4 * i, 4 * i + 4)) group = (group << 6) | BASE64_URL.indexOf(letter)
    bytes.set([group >> 16, (group >> 8) & 255, group & 255], 3 * i)
  }
  return bytes
}
