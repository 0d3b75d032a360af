/** HMAC-SHA256 (RFC 2104) over texts that everybody may read and nobody else may make. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { NotaryPurpose } from 'keystead:engine/engine@0.1.0'
import { subKey } from './sub-keys.ts'

export function notarize(purpose: NotaryPurpose, text: Uint8Array): Uint8Array {
  return hmac(sha256, subKey(purpose), text)
}

export function isNotarized(purpose: NotaryPurpose, text: Uint8Array, seal: Uint8Array): boolean {
  const expected = notarize(purpose, text)
  if (seal.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < expected.length; i++) difference |= (expected[i] as number) ^ (seal[i] as number)
  return difference === 0
}
