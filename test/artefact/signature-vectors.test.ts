/** Published and cross-checked signatures, byte for byte, through the built gate and engine. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { deriveAddress } from '../../signer-core/gate/addresses/index.ts'
import type { AddressFormat } from '../../signer-core/protocol/address-formats.ts'
import { addressTools } from '../support/address-tools.ts'
import { Bench } from '../support/component.ts'
import { knownKey, publicKeyOf, type CurveName } from '../support/known-keys.ts'
import { openKey } from '../support/sealed-keys.ts'

interface Ecdsa {
  curve: CurveName
  privateKey: string
  digest: string
  r: string
  s: string
  v: string
}
interface RawPayload extends Ecdsa {
  payload: string
  encoding: string
  hashFunction: string
}
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/signatures.json'), 'utf8')) as {
  published: Ecdsa[]
  ecdsa: Ecdsa[]
  ed25519: { privateKey: string; message: string; r: string; s: string; v: string }[]
  schnorr: {
    privateKey: string
    message: string
    plainBip340: { signature: string }
    taprootKeyPath: { signature: string }
  }[]
  rawPayload: RawPayload[]
}

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const keyOf = (curve: CurveName, privateKey: string) => knownKey(dataKey, bench.organizationId, curve, privateKey)

const HEX = 'PAYLOAD_ENCODING_HEXADECIMAL'

test('ECDSA: RFC 6979 nonces, low s, recovery id', (t) => {
  const all = [...vectors.published, ...vectors.ecdsa]
  t.is(all.length, 79)
  for (const { curve, privateKey, digest, r, s, v } of all) {
    t.deepEqual(bench.sign(keyOf(curve, privateKey), digest, 'HASH_FUNCTION_NO_OP', HEX), { r, s, v })
  }
})

test('ed25519: RFC 8032', (t) => {
  t.is(vectors.ed25519.length, 25)
  for (const { privateKey, message, r, s, v } of vectors.ed25519) {
    const key = keyOf('CURVE_ED25519', privateKey)
    t.deepEqual(bench.sign(key, message, 'HASH_FUNCTION_NOT_APPLICABLE', HEX), { r, s, v })
  }
})

test('raw payloads: encodings and hash functions', (t) => {
  t.is(vectors.rawPayload.length, 18)
  for (const { curve, privateKey, payload, encoding, hashFunction, r, s, v } of vectors.rawPayload) {
    t.deepEqual(bench.sign(keyOf(curve, privateKey), payload, hashFunction, encoding), { r, s, v })
  }
})

test('BIP-340 by a Spark address, tweaked by a P2TR address, ECDSA by every other name', (t) => {
  t.is(vectors.schnorr.length, 3)
  for (const { privateKey, message, plainBip340, taprootKeyPath } of vectors.schnorr) {
    const key = keyOf('CURVE_SECP256K1', privateKey)
    const signedAs = (format: AddressFormat) => {
      const signWith = deriveAddress(format, key.publicKey, addressTools).address
      const parameters = { signWith, payload: message, encoding: HEX, hashFunction: 'HASH_FUNCTION_NO_OP' }
      const request = bench.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, [key])
      const { r, s, v } = JSON.parse(bench.component.gate.perform(request).result).signRawPayloadResult
      return `${r}${s}${v}`
    }
    const ecdsa = Object.values(bench.sign(key, message, 'HASH_FUNCTION_NO_OP', HEX)).join('')
    t.is(signedAs('ADDRESS_FORMAT_SPARK_MAINNET'), `${plainBip340.signature}00`)
    t.is(signedAs('ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'), `${taprootKeyPath.signature}00`)
    t.is(signedAs('ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR'), `${taprootKeyPath.signature}00`)
    t.is(signedAs('ADDRESS_FORMAT_ETHEREUM'), ecdsa)
  }
})

test('many payloads are one activity, with the signatures of each in order', (t) => {
  const key = bench.create('CURVE_SECP256K1').key
  const payloads = ['one', 'two', 'three']
  const parameters = {
    signWith: key.keyId,
    payloads,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  }
  const { result } = bench.component.gate.perform(bench.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters, [key]))
  const single = payloads.map((payload) => bench.sign(key, payload, 'HASH_FUNCTION_SHA256'))
  t.deepEqual(JSON.parse(result), { signRawPayloadsResult: { signatures: single } })
})

test('what the engine seals opens in the second implementation, and only for its identity', (t) => {
  const { key } = bench.create('CURVE_P256')
  const identity = { ...key, organizationId: bench.organizationId }
  const privateKey = openKey(dataKey, key.sealed, identity)
  t.deepEqual(publicKeyOf('p256', privateKey), Buffer.from(key.publicKey))
  t.throws(() => openKey(dataKey, key.sealed, { ...identity, curve: 'secp256k1' }))
  t.throws(() => openKey(dataKey, key.sealed, { ...identity, organizationId: randomUUID() }))
})
