/** Wraps and unwraps the one data key. An adapter that can do more says so with its own interface. */
export interface Kms {
  readonly name: string
  /** @param context What the wrapped key is for; unwrapping with another context must fail. */
  wrap(dataKey: Uint8Array, context: Uint8Array): Promise<Uint8Array>
  /** @returns Memory that belongs to the caller, who fills it with zeros after use. */
  unwrap(wrapped: Uint8Array, context: Uint8Array): Promise<Uint8Array>
}

export interface KmsConfig {
  /** Private directory of the signer. */
  directory: string
  /** No data key exists yet, so an adapter that keeps its own key may make it now, and only now. */
  firstStart: boolean
}
