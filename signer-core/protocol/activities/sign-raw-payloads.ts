import { BODY_BYTES_MAX, KEY_NAME_LENGTH_MAX, PAYLOADS_PER_ACTIVITY_MAX, STRUCTURED_PAYLOADS_MAX } from '../limits.ts'
import { list, object, oneOf, text, type Schema, type TypeOf } from '../schema.ts'
import { hashFunctions, payloadEncodings } from './sign-raw-payload.ts'

const members = object({
  signWith: text(KEY_NAME_LENGTH_MAX),
  payloads: list(text(BODY_BYTES_MAX, { emptyAllowed: true }), PAYLOADS_PER_ACTIVITY_MAX, { countMin: 1 }),
  encoding: oneOf(payloadEncodings, 'payload encoding'),
  hashFunction: oneOf(hashFunctions),
})

export type SignRawPayloads = TypeOf<typeof members>

/** Encodings that only name bytes; all others are read and hashed value by value. */
const plain: readonly string[] = ['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8']

export const signRawPayloadsSchema: Schema<SignRawPayloads> = {
  read(value, field, violations) {
    const before = violations.length
    const read = members.read(value, field, violations)
    if (violations.length > before) return read
    if (!plain.includes(read.encoding) && read.payloads.length > STRUCTURED_PAYLOADS_MAX) {
      const description = `at most ${STRUCTURED_PAYLOADS_MAX} payloads of this encoding`
      violations.push({ field: `${field}.payloads`, description })
    }
    return read
  },
}
