/**
 * The data key encrypts nothing itself: HKDF-SHA256 (RFC 5869) gives one sub-key per purpose, and the data key is
 * forgotten. The info strings are part of the format: changing one makes everything sealed unreadable.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '../protocol/bytes.ts'

/** Info string and length in bytes. */
const purposes = {
  'sealed-key': ['keystead/v1/sealed-key', 32],
  organization: ['keystead/v1/notarized/organization', 32],
  evaluation: ['keystead/v1/notarized/evaluation', 32],
  key: ['keystead/v1/notarized/key', 32],
  // 48 bytes, so that the scalar made of them is unbiased (FIPS 186-5 A.2.1).
  identity: ['keystead/v1/identity', 48],
} as const
type Purpose = keyof typeof purposes

let subKeys: Map<Purpose, Uint8Array> | undefined

export function loadSubKeys(dataKey: Uint8Array): void {
  if (dataKey.length !== 32) throw 'bad-length'
  if (subKeys !== undefined) throw 'already-loaded'
  subKeys = new Map()
  for (const [purpose, [info, lengthBytes]] of Object.entries(purposes)) {
    subKeys.set(purpose as Purpose, hkdf(sha256, dataKey, undefined, utf8ToBytes(info), lengthBytes))
  }
}

export function wipeSubKeys(): void {
  subKeys?.forEach((key) => key.fill(0))
  subKeys = undefined
}

/** @throws `no-data-key` before `load` and after `wipe`. */
export function subKey(purpose: Purpose): Uint8Array {
  const key = subKeys?.get(purpose)
  if (key === undefined) throw 'no-data-key'
  return key
}
