/** From a raw payload to what the key signs and what policies may judge. */
import type { Curve } from 'keystead:engine/engine@0.1.0'
import type { SignRawPayload } from '../protocol/activities/sign-raw-payload.ts'
import { hexToBytes, utf8ToBytes } from '../protocol/bytes.ts'
import { RefusalError } from '../protocol/refusals.ts'
import type { JsonObject } from '../protocol/strict-json.ts'
import type { Digest } from './digest.ts'
import { readTypedData } from './eip712/typed-data.ts'
import { readAuthorization } from './eip7702-authorization.ts'
import { PayloadError } from './payload-error.ts'

export type Payload = Pick<SignRawPayload, 'payload' | 'encoding' | 'hashFunction'>

export interface PayloadToSign {
  /** A 32-byte digest for ECDSA and BIP-340, the message itself for ed25519. */
  message: Uint8Array
  /** Under the keyword that policies use, `{ eth: { eip_712 } }`; empty for a payload that says nothing of itself. */
  facts: JsonObject
}

type Structured = (text: string, digest: Digest) => { digest: Uint8Array; facts: JsonObject }

/** Encodings that name their own digest. */
const structured: Partial<Record<Payload['encoding'], Structured>> = {
  PAYLOAD_ENCODING_EIP712: readTypedData,
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: readAuthorization,
}

/**
 * @param field Member of the parameters that holds the payload.
 * @throws {RefusalError} `PARAMETERS_INVALID` when payload, encoding, hash function and curve do not fit together.
 */
export function payloadToSign(
  payload: Payload,
  curve: Curve,
  digest: Digest,
  field = 'parameters.payload',
): PayloadToSign {
  const read = structured[payload.encoding]
  if (read !== undefined) return readStructured(read, payload, curve, digest, field)
  return { message: hashed(decoded(payload, field), payload.hashFunction, curve, digest, field), facts: {} }
}

function readStructured(
  read: Structured,
  { payload, hashFunction }: Payload,
  curve: Curve,
  digest: Digest,
  field: string,
): PayloadToSign {
  if (curve !== 'secp256k1') throw invalid('parameters.encoding', 'invalid payload encoding for the curve')
  // With either of them the digest that the encoding names is signed as it is.
  if (hashFunction !== 'HASH_FUNCTION_NO_OP' && hashFunction !== 'HASH_FUNCTION_KECCAK256') {
    throw invalid('parameters.hashFunction', 'invalid hash function for the encoding')
  }
  try {
    const { digest: message, facts } = read(payload, digest)
    return { message, facts }
  } catch (error) {
    if (error instanceof PayloadError) throw invalid(field, error.message)
    throw error
  }
}

function hashed(
  bytes: Uint8Array,
  hashFunction: Payload['hashFunction'],
  curve: Curve,
  digest: Digest,
  field: string,
): Uint8Array {
  const isMessage = hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE'
  if (isMessage !== (curve === 'ed25519')) {
    throw invalid('parameters.hashFunction', 'invalid hash function for the curve')
  }
  switch (hashFunction) {
    case 'HASH_FUNCTION_NOT_APPLICABLE':
      return bytes
    case 'HASH_FUNCTION_SHA256':
      return digest('sha256', bytes)
    case 'HASH_FUNCTION_KECCAK256':
      return digest('keccak256', bytes)
    case 'HASH_FUNCTION_NO_OP':
      if (bytes.length !== 32) throw invalid(field, 'payload must be 32 bytes with HASH_FUNCTION_NO_OP')
      return bytes
  }
}

function decoded({ payload, encoding }: Payload, field: string): Uint8Array {
  if (encoding === 'PAYLOAD_ENCODING_TEXT_UTF8') return utf8ToBytes(payload)
  const bytes = hexToBytes(payload)
  if (bytes === undefined) throw invalid(field, 'payload must be hexadecimal')
  return bytes
}

function invalid(field: string, message: string): RefusalError {
  return new RefusalError('PARAMETERS_INVALID', message, field)
}
