import { randomFillSync } from 'node:crypto'
import type { Entropy } from '../signer.d.ts'

/** Far above what one draw needs (32 to 64 bytes). */
const DRAW_BYTES_MAX = 65_536

const drawn: Uint8Array[] = []

/**
 * `keystead:engine/entropy`. An import that throws would leave the component cut off in mid-flight without jco
 * noticing (signer-core.md, pitfall 6), so an absurd draw ends the process here and now.
 */
export const entropy: Entropy = {
  fill(length) {
    if (length > DRAW_BYTES_MAX) process.exit(70)
    const bytes = new Uint8Array(length)
    randomFillSync(bytes)
    drawn.push(bytes)
    return bytes
  },
}

/** Overwrites what was drawn: it may have become a key. Only between calls, when the component has its own copy. */
export function forgetEntropy(): void {
  for (const bytes of drawn) bytes.fill(0)
  drawn.length = 0
}
