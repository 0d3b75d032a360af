/** Byte helpers that run in Node and in the component, where TextEncoder and Buffer do not exist. */

/** Bytes of `text` in hexadecimal of either case, with or without `0x`; undefined when it is not hexadecimal. */
export function hexToBytes(text: string): Uint8Array | undefined {
  const digits = text.startsWith('0x') || text.startsWith('0X') ? text.slice(2) : text
  try {
    return Uint8Array.fromHex(digits)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Lower-case hexadecimal without `0x`. */
export function bytesToHex(bytes: Uint8Array): string {
  return bytes.toHex()
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** UTF-8 of a well-formed string. A lone surrogate throws: the caller's parser has refused it before. */
export function utf8ToBytes(text: string): Uint8Array {
  // Nearly everything is ASCII, and QuickJS walks no string as quickly as its own functions do.
  if (ASCII.test(text)) return Uint8Array.fromBase64(btoa(text))
  const escaped = encodeURIComponent(text)
  const bytes = new Uint8Array(escaped.length)
  let length = 0
  for (let i = 0; i < escaped.length; i++) {
    const unit = escaped.charCodeAt(i)
    if (unit === 0x25) {
      bytes[length++] = Number.parseInt(escaped.slice(i + 1, i + 3), 16)
      i += 2
    } else bytes[length++] = unit
  }
  return bytes.slice(0, length)
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Each field after its length in four big-endian bytes, so that no two lists of fields give the same bytes. */
export function lengthPrefixed(...fields: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(fields.reduce((sum, field) => sum + 4 + field.length, 0))
  let at = 0
  for (const field of fields) {
    whole.set(uint32(field.length), at)
    whole.set(field, at + 4)
    at += 4 + field.length
  }
  return whole
}

export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255)
}

/** Equality of public values; for secrets use the engine's constant-time comparison. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  // In QuickJS a function for every byte of a transaction costs more than to read it.
  return a.length === b.length && a.toHex() === b.toHex()
}
