/** Stamps of every scheme, checked by the host and by the gateway: published ones, fresh ones, and each with a fault. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { isStampValid } from '../../../gateway/stamp-check.ts'
import { isStampOf } from '../../../signer-core/host/stamp-check.ts'
import { parseStampHeader, readStamp, stampSchemes, type Stamp } from '../../../signer-core/protocol/stamp.ts'
import { newStampingKey, stampBy } from '../../support/api-keys.ts'

interface StampVectors {
  body: string
  cases: { name: string; header: string; value: string; valid: boolean }[]
}
const path = join(import.meta.dirname, '../../vectors/stamps.json')
const { body, cases } = JSON.parse(readFileSync(path, 'utf8')) as StampVectors
const decodeBase64Url = (text: string) =>
  /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url').toString('latin1') : undefined

test('the published stamps: those of API keys that are valid, and no other', async (t) => {
  const seen = new Set<string>()
  for (const { name, value, valid } of cases.filter(({ header }) => header === 'X-Stamp')) {
    const stamp = parseStampHeader(value, decodeBase64Url)
    const isValid = stamp !== undefined && isStampOf(stamp, Buffer.from(body))
    t.is(isValid, valid, name)
    if (stamp !== undefined) t.is(await isStampValid(stamp, Buffer.from(body)), isValid, name)
    if (stamp !== undefined && valid) seen.add(stamp.scheme)
  }
  t.deepEqual([...seen].toSorted(), [...stampSchemes].toSorted())
})

test('a fresh stamp of each scheme, and none under another scheme, key, body or with another bit', (t) => {
  const keys = {
    SIGNATURE_SCHEME_TK_API_P256: newStampingKey(),
    SIGNATURE_SCHEME_TK_API_SECP256K1: newStampingKey('API_KEY_CURVE_SECP256K1'),
    SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: newStampingKey('API_KEY_CURVE_SECP256K1'),
    SIGNATURE_SCHEME_TK_API_ED25519: newStampingKey('API_KEY_CURVE_ED25519'),
  }
  const holds = (stamp: unknown, text = body) => {
    const read = readStamp(stamp)
    return read !== undefined && isStampOf(read, Buffer.from(text))
  }
  for (const scheme of stampSchemes) {
    const stamp: Stamp = stampBy(keys[scheme], body, scheme)
    t.true(holds(stamp), scheme)
    t.false(holds(stamp, `${body} `), scheme)
    t.false(holds({ ...stamp, publicKey: newStampingKey(keys[scheme].curveType).publicKey }), scheme)
    for (const other of stampSchemes)
      if (other !== scheme) t.false(holds({ ...stamp, scheme: other }), `${scheme} as ${other}`)
    const last = Buffer.from(stamp.signature, 'hex')
    last[last.length - 1] = (last.at(-1) as number) ^ 1
    t.false(holds({ ...stamp, signature: last.toString('hex') }), scheme)
  }
})
