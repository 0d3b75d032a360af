import { blake2b } from '@noble/hashes/blake2.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js'
import type { Hash } from 'keystead:engine/engine@0.1.0'

const digests: Record<Hash, (data: Uint8Array) => Uint8Array> = {
  sha256,
  sha512,
  keccak256: keccak_256,
  'sha3-256': sha3_256,
  ripemd160,
  blake2b256: (data) => blake2b(data, { dkLen: 32 }),
}

export function digest(algorithm: Hash, data: Uint8Array): Uint8Array {
  return digests[algorithm](data)
}
