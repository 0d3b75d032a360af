/** Signed transactions of each chain's own libraries, byte for byte, through the built gate and engine. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { curvesOfAddressFormat, type AddressFormat } from '../../signer-core/protocol/address-formats.ts'
import { Bench, refusalOf } from '../support/component.ts'
import { knownKey, type CurveName } from '../support/known-keys.ts'

interface Vector {
  name: string
  transactionType: string
  privateKey?: string
  privateKeys?: string[]
  signWith?: string[]
  unsignedTransaction: string
  signedTransaction: string
}
interface RawVector {
  name: string
  addressFormat: AddressFormat
  privateKey: string
  address: string
  payload: string
  encoding: string
  hashFunction: string
  r: string
  s: string
  v: string
}
type Chain = 'ethereum' | 'solana' | 'tron' | 'bitcoin'
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/transactions.json'), 'utf8')) as Record<
  Chain,
  Vector[]
> & { rawPayload: RawVector[] }

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const keyOf = (curve: CurveName, privateKey: string) => knownKey(dataKey, bench.organizationId, curve, privateKey)

type Key = ReturnType<typeof keyOf>
function requestOf(key: Key, type: string, unsignedTransaction: string, signWith = key.keyId) {
  return bench.request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', { signWith, unsignedTransaction, type }, [key])
}

/** Signs with one key after the other, each under the name given, as the owners of several keys would. */
function signed({ transactionType, privateKey, privateKeys, signWith, unsignedTransaction }: Vector): string {
  const curve = transactionType === 'TRANSACTION_TYPE_SOLANA' ? 'CURVE_ED25519' : 'CURVE_SECP256K1'
  const [name] = signWith ?? []
  return (privateKeys ?? [privateKey as string]).reduce((transaction, each) => {
    const request = requestOf(keyOf(curve, each), transactionType, transaction, name)
    const { result } = bench.component.gate.perform(request)
    return (JSON.parse(result) as { signTransactionResult: { signedTransaction: string } }).signTransactionResult
      .signedTransaction
  }, unsignedTransaction)
}

const counts: Record<Chain, number> = { ethereum: 18, solana: 10, tron: 7, bitcoin: 17 }
/** The vector of the other P2SH convention must be refused: a wrapped input. */
const refused = (vector: Vector) => vector.name.startsWith('alternate convention')

for (const [chain, count] of Object.entries(counts) as [Chain, number][]) {
  test(`${chain}: every vector`, (t) => {
    t.is(vectors[chain].length, count)
    for (const vector of vectors[chain]) {
      if (refused(vector)) t.is(refusalOf(() => signed(vector)).code, 'KEY_NOT_FOUND', vector.name)
      else t.is(signed(vector), vector.signedTransaction, vector.name)
    }
  })
}

test('other chains: what their libraries hand over as a raw payload', (t) => {
  t.is(vectors.rawPayload.length, 12)
  for (const {
    name,
    addressFormat,
    privateKey,
    address,
    r,
    s,
    v,
    payload,
    encoding,
    hashFunction,
  } of vectors.rawPayload) {
    // Each of these formats belongs to one curve.
    const [curve] = curvesOfAddressFormat[addressFormat]
    const key = keyOf(curve, privateKey)
    const parameters = { signWith: address, payload, encoding, hashFunction }
    const { result } = bench.component.gate.perform(
      bench.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, [key]),
    )
    t.deepEqual(JSON.parse(result), { signRawPayloadResult: { r, s, v } }, name)
  }
})

test('a type that is not offered has its own error, bytes that are no transaction another', (t) => {
  const key = keyOf('CURVE_SECP256K1', '11'.repeat(32))
  const codeOf = (type: string, bytes: string) =>
    refusalOf(() => bench.component.gate.perform(requestOf(key, type, bytes))).code
  t.is(codeOf('TRANSACTION_TYPE_TEMPO', '76'), 'TRANSACTION_TYPE_UNSUPPORTED')
  t.is(codeOf('TRANSACTION_TYPE_X', '00'), 'TRANSACTION_TYPE_UNSUPPORTED')
  for (const type of ['ETHEREUM', 'TRON', 'BITCOIN']) {
    for (const bytes of ['', '00', 'zz', 'c0', '02c0', 'ff'.repeat(100)]) {
      const code = bytes === '' ? 'PARAMETERS_INVALID' : 'TRANSACTION_INVALID'
      t.is(codeOf(`TRANSACTION_TYPE_${type}`, bytes), code, `${type} ${bytes}`)
    }
  }
  t.is(codeOf('TRANSACTION_TYPE_SOLANA', '00'), 'TRANSACTION_INVALID', 'a secp256k1 key signs nothing of Solana')
})
