/** `keystead:engine/entropy` for the reference engine outside of its component. */
export const source = {
  fill: (_length: number): Uint8Array => {
    throw new Error('no entropy was given')
  },
}

export function fill(length: number): Uint8Array {
  return source.fill(length)
}
