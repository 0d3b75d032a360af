/** BIP-341 key path with an empty script tree: P = lift_x(x), t = TapTweak(x), Q = P + t G. */
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'

const { Fn } = secp256k1.Point
const { Point } = secp256k1

function tweakOf(x: Uint8Array): bigint {
  return Fn.create(bytesToNumberBE(schnorr.utils.taggedHash('TapTweak', x)))
}

/** The x coordinate of an uncompressed point of the curve. @throws `bad-input` */
function xOf(publicKey: Uint8Array): Uint8Array {
  try {
    if (publicKey.length === 65) return Point.fromBytes(publicKey).toBytes().subarray(1)
  } catch {
    // Falls through to the same refusal.
  }
  throw 'bad-input'
}

/** @param publicKey Uncompressed point. @returns x of Q. @throws `bad-input` when there is no such point. */
export function outputKey(publicKey: Uint8Array): Uint8Array {
  const x = xOf(publicKey)
  const internal = schnorr.utils.lift_x(bytesToNumberBE(x))
  return schnorr.utils.pointToBytes(internal.add(Point.BASE.multiply(tweakOf(x))))
}

/** The caller overwrites the answer. */
export function tweakedSecretKey(secretKey: Uint8Array): Uint8Array {
  const publicKey = secp256k1.getPublicKey(secretKey, false)
  const d = bytesToNumberBE(secretKey)
  const even = ((publicKey[64] as number) & 1) === 0 ? d : Fn.neg(d)
  return numberToBytesBE(Fn.add(even, tweakOf(publicKey.subarray(1, 33))), 32)
}
