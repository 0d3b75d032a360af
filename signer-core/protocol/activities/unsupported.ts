import type { Schema } from '../schema.ts'

/**
 * A member that clients may send empty and that must not be ignored when it is not: whoever asks for it would believe
 * that it had been done.
 */
export function unsupported(what: string): Schema<undefined> {
  return {
    read(value, field, violations) {
      const isEmpty =
        value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
      if (!isEmpty) violations.push({ field, description: `${what} not supported` })
      return undefined
    },
  }
}
