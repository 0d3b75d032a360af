/** Digests of signatures made by other implementations, and of what the real SDKs sent. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { payloadToSign, type Payload } from '../../../signer-core/gate/payload.ts'
import { bytesToHex } from '../../../signer-core/protocol/bytes.ts'
import { digest } from '../../support/address-tools.ts'

function readVectors(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors', name), 'utf8'))
}

const isStructured = ({ encoding }: Payload) => encoding?.startsWith('PAYLOAD_ENCODING_EIP')

test('the digests of the signature vectors', (t) => {
  const { rawPayload } = readVectors('signatures.json') as { rawPayload: (Payload & { digest: string })[] }
  const cases = rawPayload.filter(isStructured)
  t.is(cases.length, 5)
  for (const { digest: expected, ...payload } of cases) {
    t.is(bytesToHex(payloadToSign(payload, 'secp256k1', digest).message), expected)
    const withKeccak = { ...payload, hashFunction: 'HASH_FUNCTION_KECCAK256' } as const
    t.is(bytesToHex(payloadToSign(withKeccak, 'secp256k1', digest).message), expected)
  }
})

interface SdkCase {
  name: string
  requests: { parameters: Payload; signedBytes: string }[]
}

test('the digests of what viem and ethers sent', (t) => {
  const { cases } = readVectors('sdk-requests.json') as { cases: SdkCase[] }
  const requests = cases.flatMap((each) => each.requests).filter((each) => isStructured(each.parameters))
  t.is(requests.length, 4)
  for (const { parameters, signedBytes } of requests) {
    t.is(bytesToHex(payloadToSign(parameters, 'secp256k1', digest).message), signedBytes)
  }
})
