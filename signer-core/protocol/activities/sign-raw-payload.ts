import { BODY_BYTES_MAX, KEY_NAME_LENGTH_MAX } from '../limits.ts'
import { object, oneOf, text, type TypeOf } from '../schema.ts'

export const payloadEncodings = [
  'PAYLOAD_ENCODING_HEXADECIMAL',
  'PAYLOAD_ENCODING_TEXT_UTF8',
  'PAYLOAD_ENCODING_EIP712',
  'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
] as const
export const hashFunctions = [
  'HASH_FUNCTION_NO_OP',
  'HASH_FUNCTION_SHA256',
  'HASH_FUNCTION_KECCAK256',
  'HASH_FUNCTION_NOT_APPLICABLE',
] as const

const payload = {
  payload: text(BODY_BYTES_MAX, { emptyAllowed: true }),
  encoding: oneOf(payloadEncodings, 'payload encoding'),
  hashFunction: oneOf(hashFunctions),
}

export const signRawPayloadV2Schema = object({ signWith: text(KEY_NAME_LENGTH_MAX), ...payload })
/** The first version calls the member `privateKeyId`. */
export const signRawPayloadV1Schema = object({ privateKeyId: text(KEY_NAME_LENGTH_MAX), ...payload })

export type SignRawPayload = TypeOf<typeof signRawPayloadV2Schema>
