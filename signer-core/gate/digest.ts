/** Hash functions, handed in: the engine's in the component, any library's in a test. */
import type { Hash } from 'keystead:engine/engine@0.1.0'

export type Digest = (algorithm: Hash, data: Uint8Array) => Uint8Array
