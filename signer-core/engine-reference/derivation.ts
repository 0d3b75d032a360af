/**
 * Child keys of a seed: BIP-32 for secp256k1, SLIP-10 for ed25519 and P-256. On secp256k1 SLIP-10 is BIP-32 but for
 * what to do with a value of the chance 2^-127, so one algorithm serves all three.
 */
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import type { Curve } from 'keystead:engine/engine@0.1.0'
import { concatBytes, uint32, utf8ToBytes } from '../protocol/bytes.ts'

const HARDENED = 0x80000000
const MASTER_KEYS: Record<Curve, string> = {
  secp256k1: 'Bitcoin seed',
  p256: 'Nist256p1 seed',
  ed25519: 'ed25519 seed',
}

interface Node {
  secretKey: Uint8Array
  chainCode: Uint8Array
}

/** The caller overwrites the answer. @throws `bad-input` for a level that is not hardened on ed25519. */
export function deriveSecretKey(seed: Uint8Array, curve: Curve, path: Uint32Array | number[]): Uint8Array {
  let node = master(seed, curve)
  for (const index of path) {
    const next = curve === 'ed25519' ? ed25519Child(node, index) : weierstrassChild(node, index, curve)
    node.secretKey.fill(0)
    node = next
  }
  return node.secretKey
}

function split(digest: Uint8Array): Node {
  return { secretKey: digest.slice(0, 32), chainCode: digest.slice(32) }
}

function master(seed: Uint8Array, curve: Curve): Node {
  const key = utf8ToBytes(MASTER_KEYS[curve])
  let node = split(hmac(sha512, key, seed))
  if (curve === 'ed25519') return node
  // SLIP-10: hash again until it is a key.
  while (!isScalar(node.secretKey, curve)) {
    node = split(hmac(sha512, key, concatBytes(node.secretKey, node.chainCode)))
  }
  return node
}

function ed25519Child({ secretKey, chainCode }: Node, index: number): Node {
  if (index < HARDENED) throw 'bad-input'
  return split(hmac(sha512, chainCode, concatBytes(Uint8Array.of(0), secretKey, uint32(index))))
}

function weierstrassChild({ secretKey, chainCode }: Node, index: number, curve: 'secp256k1' | 'p256'): Node {
  const { Fn } = curveOf(curve).Point
  const parent = index >= HARDENED ? concatBytes(Uint8Array.of(0), secretKey) : curveOf(curve).getPublicKey(secretKey)
  let data = concatBytes(parent, uint32(index))
  for (;;) {
    const tweak = split(hmac(sha512, chainCode, data))
    data.fill(0)
    const left = bytesToNumberBE(tweak.secretKey)
    const child = Fn.add(Fn.create(left), bytesToNumberBE(secretKey))
    tweak.secretKey.fill(0)
    if (left < Fn.ORDER && child !== 0n) {
      return { secretKey: numberToBytesBE(child, 32), chainCode: tweak.chainCode }
    }
    data = concatBytes(Uint8Array.of(1), tweak.chainCode, uint32(index))
  }
}

function curveOf(curve: 'secp256k1' | 'p256'): typeof secp256k1 {
  return curve === 'p256' ? p256 : secp256k1
}

function isScalar(secretKey: Uint8Array, curve: 'secp256k1' | 'p256'): boolean {
  return curveOf(curve).utils.isValidSecretKey(secretKey)
}
