import test from 'ava'
import { payloadToSign, type Payload } from '../../../signer-core/gate/payload.ts'
import {
  hashFunctions,
  payloadEncodings,
  signRawPayloadV2Schema,
} from '../../../signer-core/protocol/activities/sign-raw-payload.ts'
import { RefusalError, type Refusal } from '../../../signer-core/protocol/refusals.ts'
import { parse } from '../../../signer-core/protocol/schema.ts'
import { digest } from '../../support/address-tools.ts'
import { sampleTypedData } from '../../support/typed-data.ts'

const authorization = { address: `0x${'11'.repeat(20)}`, chainId: 1, nonce: 0 }
const structured = {
  PAYLOAD_ENCODING_EIP712: JSON.stringify(sampleTypedData()),
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: JSON.stringify(authorization),
}
const curves = ['secp256k1', 'p256', 'ed25519'] as const

function refusalOf(work: () => unknown): Refusal | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal
    throw error
  }
}

test('the structured encodings are for secp256k1 and the digest that they name', (t) => {
  let accepted = 0
  for (const [encoding, payload] of Object.entries(structured) as [Payload['encoding'], string][]) {
    for (const curve of curves) {
      for (const hashFunction of hashFunctions) {
        const refusal = refusalOf(() => payloadToSign({ payload, encoding, hashFunction }, curve, digest))
        if (refusal === undefined) accepted++
        else if (curve !== 'secp256k1') t.is(refusal.message, 'invalid payload encoding for the curve')
        else t.is(refusal.message, 'invalid hash function for the encoding')
      }
    }
  }
  t.is(accepted, 2 * 2)
})

test('facts come with the structured encodings only', (t) => {
  const hashFunction = 'HASH_FUNCTION_NO_OP'
  for (const encoding of payloadEncodings) {
    const payload = structured[encoding as keyof typeof structured] ?? 'ab'.repeat(32)
    if (encoding === 'PAYLOAD_ENCODING_TEXT_UTF8') continue
    const { message, facts } = payloadToSign({ payload, encoding, hashFunction }, 'secp256k1', digest)
    t.is(message.length, 32)
    const [name] = Object.keys((facts.eth ?? {}) as object)
    const expected = {
      PAYLOAD_ENCODING_EIP712: 'eip_712',
      PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: 'eip_7702_authorization',
    }
    t.is(name, expected[encoding as keyof typeof expected])
  }
})

test('what is wrong with a payload is said of its member', (t) => {
  const payload = { payload: '{}', encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' } as const
  const message = 'typed data must have domain, types, primaryType and message, nothing else'
  const refuse = (...field: string[]) => refusalOf(() => payloadToSign(payload, 'secp256k1', digest, ...field))
  t.deepEqual(refuse(), { code: 'PARAMETERS_INVALID', message, field: 'parameters.payload' })
  t.is(refuse('parameters.payloads.3')?.field, 'parameters.payloads.3')
})

test('the schema knows the encodings', (t) => {
  const parameters = { signWith: 'a', payload: '', hashFunction: 'HASH_FUNCTION_NO_OP' }
  for (const encoding of payloadEncodings) t.true(parse(signRawPayloadV2Schema, { ...parameters, encoding }).ok)
  t.is(payloadEncodings.length, 4)
  t.false(parse(signRawPayloadV2Schema, { ...parameters, encoding: 'PAYLOAD_ENCODING_EIP191' }).ok)
})
