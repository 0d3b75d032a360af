/**
 * Who signed a digest. libsecp256k1, in WebAssembly, does in half a millisecond what takes almost three in JavaScript, and
 * a facilitator does it for each payment. The signer component has nothing to do with it: these are others' signatures.
 */
import { hexToBytes, type Address, type Hex } from 'viem'
import { publicKeyToAddress } from 'viem/utils'

export interface RecoverableSignature {
  /** 32 bytes each. */
  readonly r: Hex
  readonly s: Hex
  readonly yParity: 0 | 1
}

type Library = typeof import('tiny-secp256k1')

/** Loaded by whoever needs it first: a megabyte that a gateway without payments does without. */
let library: Promise<Library> | undefined

/**
 * SEC 1 version 2, section 4.1.6, as the EVM's ecrecover does it: s may be high; whoever wants it low has to look.
 * @param digest 32 bytes. @returns undefined when no key gives this signature.
 */
export async function recoverSigner(
  digest: Hex,
  { r, s, yParity }: RecoverableSignature,
): Promise<Address | undefined> {
  library ??= import('tiny-secp256k1')
  const { recover } = await library
  const publicKey = publicKeyOf(recover, hexToBytes(digest), hexToBytes(`${r}${s.slice(2)}`), yParity)
  if (publicKey === undefined) return undefined
  return publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`)
}

/** The library throws for numbers out of range, and for a point that is none. */
function publicKeyOf(
  recover: Library['recover'],
  digest: Uint8Array,
  signature: Uint8Array,
  yParity: 0 | 1,
): Uint8Array | undefined {
  try {
    return recover(digest, signature, yParity, false) ?? undefined
  } catch {
    return undefined
  }
}
