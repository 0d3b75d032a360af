/** Every value of the public enums is taken, or refused with its own code, by the built gate. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import {
  activityTypes,
  unsupportedActivityTypes,
  type ActivityTypeName,
} from '../../signer-core/protocol/activity-types.ts'
import { requestsOf, signing } from '../support/activity-requests.ts'
import { organizationRequestsOf, type VotelessTypeName } from '../support/organization-requests.ts'
import { Bench, refusalOf, type KeyRecord } from '../support/component.ts'
import { transactionVectors } from '../support/transactions.ts'
import { knownKey } from '../support/known-keys.ts'

type CurveName = 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256'
interface Enums {
  curves: CurveName[]
  addressFormats: { name: string; curves: CurveName[] }[]
  payloadEncodings: string[]
  hashFunctions: string[]
  hashFunctionByCurve: Record<CurveName, string[]>
  transactionTypes: string[]
  activityTypes: { type: string; path: string | null; intentKey: string; resultKey: string }[]
}
const enums = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/enums.json'), 'utf8')) as Enums

const dataKey = new Uint8Array(32).fill(3)
const bench = await Bench.open(dataKey)
const { perform } = bench.component.gate
const keys = Object.fromEntries(enums.curves.map((curve) => [curve, bench.create(curve).key])) as Record<
  CurveName,
  KeyRecord
>
const key = keys.CURVE_SECP256K1

const requests = { ...requestsOf(bench), ...organizationRequestsOf(bench) }

test('169 activity types: those on offer have the path, intent key and result key of the file, all others are refused', (t) => {
  t.is(enums.activityTypes.length, 169)
  t.is(Object.keys(activityTypes).length, 59)
  for (const [type, { path, intents }] of Object.entries(activityTypes) as [
    ActivityTypeName,
    (typeof activityTypes)[ActivityTypeName],
  ][]) {
    const known = enums.activityTypes.find((each) => each.type === type)
    t.is(known?.path, `/public/v1/submit/${path}`)
    t.is(known?.intentKey, intents[0])
    // A vote has no result of its own; the gateway shows its target's.
    if (known?.resultKey.startsWith('the target') === true) continue
    const result = JSON.parse(perform(requests[type as VotelessTypeName]()).result) as object
    t.is(Object.keys(result)[0], known?.resultKey, type)
  }
  const others = enums.activityTypes.filter(({ type }) => !Object.hasOwn(activityTypes, type))
  t.is(others.length, 110)
  for (const { type } of others) {
    const code = Object.hasOwn(unsupportedActivityTypes, type) ? 'ACTIVITY_TYPE_UNSUPPORTED' : 'ACTIVITY_TYPE_UNKNOWN'
    t.is(refusalOf(() => perform(bench.request(type, {}))).code, code, type)
  }
})

test('38 address formats on three curves', (t) => {
  t.is(enums.addressFormats.length, 38)
  for (const curve of enums.curves) {
    for (const { name, curves } of enums.addressFormats) {
      const create = () => bench.create(curve, [name])
      if (curves.includes(curve)) t.notThrows(create, `${curve} ${name}`)
      else t.is(refusalOf(create).code, 'PARAMETERS_INVALID', `${curve} ${name}`)
    }
  }
})

/** Text that each encoding reads; 32 bytes, so that every hash function may take it. */
const payloads: Record<string, string> = {
  PAYLOAD_ENCODING_HEXADECIMAL: '07'.repeat(32),
  PAYLOAD_ENCODING_TEXT_UTF8: 'x'.repeat(32),
  PAYLOAD_ENCODING_EIP712: JSON.stringify({ domain: {}, types: { A: [] }, primaryType: 'A', message: {} }),
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: JSON.stringify({ address: `0x${'11'.repeat(20)}`, chainId: 1, nonce: 0 }),
}
const structured = ['PAYLOAD_ENCODING_EIP712', 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION']

test('4 payload encodings with 4 hash functions on three curves', (t) => {
  t.deepEqual(Object.keys(payloads), enums.payloadEncodings)
  t.is(enums.hashFunctions.length, 4)
  for (const curve of enums.curves) {
    for (const encoding of enums.payloadEncodings) {
      for (const hashFunction of enums.hashFunctions) {
        // An encoding that names its own digest is signed with secp256k1 only; NO_OP and KECCAK256 are the same there.
        const isOffered = structured.includes(encoding)
          ? curve === 'CURVE_SECP256K1' && /NO_OP|KECCAK256/.test(hashFunction)
          : enums.hashFunctionByCurve[curve].includes(hashFunction)
        const sign = () => bench.sign(keys[curve], payloads[encoding] as string, hashFunction, encoding)
        if (isOffered) t.notThrows(sign, `${curve} ${encoding} ${hashFunction}`)
        else t.is(refusalOf(sign).code, 'PARAMETERS_INVALID', `${curve} ${encoding} ${hashFunction}`)
      }
    }
  }
})

test('5 transaction types: four are signed, TEMPO has an error of its own', (t) => {
  t.is(enums.transactionTypes.length, 5)
  for (const type of enums.transactionTypes) {
    const chain = type.slice('TRANSACTION_TYPE_'.length).toLowerCase()
    if (chain === 'tempo') {
      const request = signing(bench, key, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', { type, unsignedTransaction: '7600' })
      t.is(refusalOf(() => perform(request)).code, 'TRANSACTION_TYPE_UNSUPPORTED')
      continue
    }
    const [vector] = transactionVectors(chain as 'ethereum' | 'solana' | 'tron' | 'bitcoin')
    const curve = chain === 'solana' ? 'CURVE_ED25519' : 'CURVE_SECP256K1'
    const privateKey = vector?.privateKeys?.[0] ?? vector?.privateKey ?? ''
    const signer = knownKey(dataKey, bench.organizationId, curve, privateKey)
    const { unsignedTransaction } = vector ?? {}
    t.notThrows(
      () => perform(signing(bench, signer, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', { type, unsignedTransaction })),
      type,
    )
  }
})
