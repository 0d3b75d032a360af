/**
 * `crypto.getRandomValues` for @noble/curves, answered by the host's entropy.
 *
 * While the snapshot is taken no host exists, but noble asks once to see whether a generator is there. Those bytes are
 * fixed and noble keeps none of them; after `goLive` every request reaches the host.
 */
import { fill } from 'keystead:engine/entropy@0.1.0'

let live = false

/** The last line of the engine's entry. */
export function goLive(): void {
  live = true
}

/** Exactly `length` bytes from the host. */
export function randomBytes(length: number): Uint8Array {
  if (!live) return new Uint8Array(length).fill(0x5a)
  const bytes = fill(length)
  if (bytes.length !== length) throw new Error('entropy of a wrong length')
  return bytes
}

function getRandomValues<T extends Uint8Array>(target: T): T {
  const bytes = randomBytes(target.length)
  target.set(bytes)
  bytes.fill(0)
  return target
}

Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues } })
