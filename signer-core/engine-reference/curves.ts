/** The three curves behind one shape. RFC 6979 nonces and low s for ECDSA, RFC 8032 for ed25519. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Curve } from 'keystead:engine/engine@0.1.0'

interface CurveOperations {
  randomSecretKey: () => Uint8Array
  /** Whether 32 bytes are a secret key of this curve. */
  isSecretKey: (secretKey: Uint8Array) => boolean
  /** SEC 1 uncompressed point, or the 32 bytes of RFC 8032. */
  publicKeyOf: (secretKey: Uint8Array) => Uint8Array
}

function weierstrass(curve: typeof secp256k1): CurveOperations {
  return {
    randomSecretKey: () => curve.utils.randomSecretKey(),
    isSecretKey: (secretKey) => curve.utils.isValidSecretKey(secretKey),
    publicKeyOf: (secretKey) => curve.getPublicKey(secretKey, false),
  }
}

export const curves: Record<Curve, CurveOperations> = {
  secp256k1: weierstrass(secp256k1),
  p256: weierstrass(p256),
  ed25519: {
    randomSecretKey: () => ed25519.utils.randomSecretKey(),
    isSecretKey: (secretKey) => secretKey.length === 32,
    publicKeyOf: (secretKey) => ed25519.getPublicKey(secretKey),
  },
}

/** Runs while the snapshot is taken, so that the base tables lie in it: the first signature is then not slower. */
export function warmTables(): void {
  for (const curve of Object.values(curves)) curve.publicKeyOf(new Uint8Array(32).fill(7))
}
