import type { Scheme } from 'keystead:engine/engine@0.1.0'
import type { Digest } from '../digest.ts'

/** What derivation needs of an engine: the real one in the component, any library in a test. */
export interface AddressTools {
  digest: Digest
  /** x coordinate of the BIP-341 output key, 32 bytes, of an uncompressed secp256k1 point. */
  taprootOutputKey: (publicKey: Uint8Array) => Uint8Array
}

/** One address format. */
export interface AddressFormatRule {
  /** @param publicKey The uncompressed point or the 32 bytes of RFC 8032, on a curve that fits. */
  derive: (publicKey: Uint8Array, tools: AddressTools) => string
  /** What a name in this format can look like; for anything else nothing is derived when a key is looked up. */
  shape: RegExp
  /** Whether `name`, which has the shape, is a spelling of `address`. One of `spellings.ts`. */
  isSpelling: (name: string, address: string) => boolean
  /** How a key signs when it is named by such an address; left out: as its curve does. */
  scheme?: Scheme
}
