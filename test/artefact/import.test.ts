/** Imports through the built gate: what opens, and that a target is its user's own. */
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { sealTo } from '../../signer-core/engine-reference/hpke.ts'
import { Bench, refusalOf, type ImportTarget } from '../support/component.ts'
import { publicKeyOf } from '../support/known-keys.ts'

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const other = await Bench.open(dataKey)

const userOf = ({ organization }: Bench) =>
  (JSON.parse(organization.text) as { users: { userId: string }[] }).users[0]?.userId as string

function begin(owner: Bench): ImportTarget {
  const { gate } = owner.component
  const request = owner.request('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId: userOf(owner) })
  return gate.perform(request).importTarget as ImportTarget
}

function importing(owner: Bench, importTarget: ImportTarget | undefined, sealedTo: ImportTarget, secret: Uint8Array) {
  const { encapsulated, ciphertext } = sealTo(sealedTo.publicKey, secret)
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const parameters = {
    userId: userOf(owner),
    privateKeyName: 'imported',
    encryptedBundle: JSON.stringify({ encappedPublic: hex(encapsulated), ciphertext: hex(ciphertext) }),
    curve: 'CURVE_SECP256K1',
    addressFormats: [],
  }
  return owner.request('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', parameters, [], { importTarget })
}

test('what is sealed to the target becomes a key, and the target has served', (t) => {
  const target = begin(bench)
  const secret = randomBytes(32)
  const outcome = bench.component.gate.perform(importing(bench, target, target, secret))
  t.deepEqual(JSON.parse(outcome.changes), [{ change: 'importTargetUsed', flow: 'private-key', userId: userOf(bench) }])
  t.deepEqual(Buffer.from(outcome.newKeys[0]?.key.publicKey as Uint8Array), publicKeyOf('secp256k1', secret))
  t.like(JSON.parse(outcome.newKeys[0]?.facts as string), { imported: true })
})

test('a target of another organization, an altered one and none at all are refused', (t) => {
  const [target, foreign, second] = [begin(bench), begin(other), begin(bench)]
  const secret = randomBytes(32)
  const codeOf = (given: ImportTarget | undefined, sealedTo: ImportTarget) =>
    refusalOf(() => bench.component.gate.perform(importing(bench, given, sealedTo, secret))).code
  t.is(codeOf(foreign, foreign), 'BUNDLE_INVALID')
  t.is(codeOf(undefined, target), 'BUNDLE_INVALID')
  t.is(codeOf(second, target), 'BUNDLE_INVALID')
  t.is(codeOf({ ...target, publicKey: second.publicKey }, second), 'BUNDLE_INVALID')
  const sealed = Uint8Array.from(target.sealed)
  sealed[20] = (sealed[20] as number) ^ 1
  t.is(codeOf({ ...target, sealed }, target), 'BUNDLE_INVALID')
})

test('a private key at rest is no import target, and a target no private key', (t) => {
  const { key } = bench.create('CURVE_P256')
  const target = begin(bench)
  const { gate } = bench.component
  t.is(refusalOf(() => gate.perform(importing(bench, key, key, randomBytes(32)))).code, 'BUNDLE_INVALID')
  const posing = { keyId: userOf(bench), curve: 'p256' as const, ...target }
  t.is(refusalOf(() => bench.sign(posing, 'x', 'HASH_FUNCTION_SHA256')).code, 'SEALED_KEY_REFUSED')
})

test('secrets that are no key of the curve are refused', (t) => {
  const target = begin(bench)
  for (const secret of [new Uint8Array(32), new Uint8Array(32).fill(255), randomBytes(31), randomBytes(33)]) {
    const { code } = refusalOf(() => bench.component.gate.perform(importing(bench, target, target, secret)))
    t.is(code, 'BUNDLE_INVALID', String(secret.length))
  }
})

test('typed data is signed a few at a time', (t) => {
  const { key } = bench.create('CURVE_SECP256K1')
  const payload = JSON.stringify({ address: `0x${'11'.repeat(20)}`, chainId: 1, nonce: 0 })
  const requestOf = (count: number) =>
    bench.request(
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
      {
        signWith: key.keyId,
        payloads: Array(count).fill(payload),
        encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      },
      [key],
    )
  t.notThrows(() => bench.component.gate.perform(requestOf(8)))
  t.is(refusalOf(() => bench.component.gate.perform(requestOf(9))).field, 'parameters.payloads')
})
