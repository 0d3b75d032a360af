/**
 * The signature schemes, one row each: on which curves, how to sign, how to verify. A signature that its own public
 * key does not verify never leaves: a computing fault in a deterministic signature could give the key away.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import type { Curve, Scheme } from 'keystead:engine/engine@0.1.0'
import { outputKey, tweakedSecretKey } from './taproot.ts'

interface SchemeOperations {
  curves: readonly Curve[]
  /** undefined: any length. */
  messageBytes: number | undefined
  sign: (message: Uint8Array, secretKey: Uint8Array, curve: Curve) => Uint8Array
  verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array, curve: Curve) => boolean
}

const NO_AUXILIARY_RANDOMNESS = new Uint8Array(32)
const ecdsaCurve = (curve: Curve) => (curve === 'p256' ? p256 : secp256k1)

const schemes: Record<Scheme, SchemeOperations> = {
  ecdsa: {
    curves: ['secp256k1', 'p256'],
    messageBytes: 32,
    sign: (message, secretKey, curve) =>
      ecdsaCurve(curve).sign(message, secretKey, { prehash: false, lowS: true, format: 'recovered' }),
    verify: (signature, message, publicKey, curve) =>
      ecdsaCurve(curve).verify(signature.subarray(1), message, publicKey, {
        prehash: false,
        lowS: true,
        format: 'compact',
      }),
  },
  eddsa: {
    curves: ['ed25519'],
    messageBytes: undefined,
    sign: (message, secretKey) => ed25519.sign(message, secretKey),
    verify: (signature, message, publicKey) => ed25519.verify(signature, message, publicKey),
  },
  bip340: {
    curves: ['secp256k1'],
    messageBytes: 32,
    sign: (message, secretKey) => schnorr.sign(message, secretKey, NO_AUXILIARY_RANDOMNESS),
    verify: (signature, message, publicKey) => schnorr.verify(signature, message, publicKey.subarray(1, 33)),
  },
  'bip340-taproot': {
    curves: ['secp256k1'],
    messageBytes: 32,
    sign(message, secretKey) {
      const tweaked = tweakedSecretKey(secretKey)
      try {
        return schnorr.sign(message, tweaked, NO_AUXILIARY_RANDOMNESS)
      } finally {
        tweaked.fill(0)
      }
    },
    verify: (signature, message, publicKey) => schnorr.verify(signature, message, outputKey(publicKey)),
  },
}

/** @throws `bad-input` when scheme, curve and message do not fit. */
export function signWith(
  scheme: Scheme,
  curve: Curve,
  publicKey: Uint8Array,
  message: Uint8Array,
  secretKey: Uint8Array,
): Uint8Array {
  const { sign, verify, curves, messageBytes } = schemes[scheme]
  if (!curves.includes(curve)) throw 'bad-input'
  if (messageBytes !== undefined && message.length !== messageBytes) throw 'bad-input'
  const signature = sign(message, secretKey, curve)
  if (!verify(signature, message, publicKey, curve)) throw new Error('signature does not verify')
  return signature
}
