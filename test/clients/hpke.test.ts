/**
 * HPKE by @hpke/core on Node's WebCrypto, as the other side of the built component: it passes the vectors of RFC 9180,
 * opens what the component exports and seals what the component imports.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Aes128Gcm, Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import test from 'ava'
import { Bench } from '../support/component.ts'
import { publicKeyOf } from '../support/known-keys.ts'
import { openKey } from '../support/sealed-keys.ts'

interface RfcVector extends Record<'info' | 'skRm' | 'skEm' | 'pkRm' | 'pkEm' | 'enc', string> {
  aead_id: number
  encryptions: { seq: number; aad: string; pt: string; ct: string }[]
  exports: { exporter_context: string; L: number; exported_value: string }[]
}
const { vectors } = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/hpke.json'), 'utf8')) as {
  vectors: RfcVector[]
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex')).buffer
const hex = (data: ArrayBuffer) => Buffer.from(data).toString('hex')
const suiteOf = (aead: Aes128Gcm) => new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead })

test('RFC 9180: both suites, every encryption and exported secret', async (t) => {
  t.is(vectors.length, 2)
  for (const vector of vectors) {
    const suite = suiteOf(vector.aead_id === 1 ? new Aes128Gcm() : new Aes256Gcm())
    const privateKey = await suite.kem.importKey('raw', bytes(vector.skEm), false)
    const publicKey = await suite.kem.importKey('raw', bytes(vector.pkEm), true)
    const recipientPublicKey = await suite.kem.importKey('raw', bytes(vector.pkRm), true)
    const ekm = { privateKey, publicKey }
    const sender = await suite.createSenderContext({ recipientPublicKey, info: bytes(vector.info), ekm })
    t.is(hex(sender.enc), vector.enc)
    t.is(vector.encryptions.length, 10)
    const bySequence = new Map(vector.encryptions.map((each) => [each.seq, each]))
    // The sequence number only counts: what the file leaves out is sealed and thrown away.
    for (let seq = 0; seq <= 256; seq++) {
      const known = bySequence.get(seq)
      const sealed = await sender.seal(bytes(known?.pt ?? ''), bytes(known?.aad ?? ''))
      if (known !== undefined) t.is(hex(sealed), known.ct, `${vector.aead_id} ${seq}`)
    }
    t.is(vector.exports.length, 3)
    for (const { exporter_context, L, exported_value } of vector.exports) {
      t.is(hex(await sender.export(bytes(exporter_context), L)), exported_value)
    }
  }
})

const suite = suiteOf(new Aes256Gcm())
const info = new TextEncoder().encode('turnkey_hpke').buffer
const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)

/** What a bundle of the component carries: `data` is hexadecimal of JSON text, with these members of one or other. */
function innerOf(bundle: string): Record<'encappedPublic' | 'ciphertext' | 'targetPublic', string> {
  return JSON.parse(Buffer.from((JSON.parse(bundle) as { data: string }).data, 'hex').toString())
}

const additionalData = (encapsulated: string, recipient: string) => bytes(encapsulated + recipient)

for (const curve of ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const) {
  test(`${curve}: @hpke/core opens what the component exports`, async (t) => {
    const { key } = bench.create(curve)
    const pair = await suite.kem.generateKeyPair()
    const target = hex(await suite.kem.serializePublicKey(pair.publicKey))
    const parameters = { privateKeyId: key.keyId, targetPublicKey: target }
    const request = bench.request('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters, [key])
    const { result } = bench.component.gate.perform(request)
    const { exportBundle } = (JSON.parse(result) as { exportPrivateKeyResult: { exportBundle: string } })
      .exportPrivateKeyResult
    const { encappedPublic, ciphertext } = innerOf(exportBundle)
    const recipient = await suite.createRecipientContext({ recipientKey: pair, enc: bytes(encappedPublic), info })
    const opened = await recipient.open(bytes(ciphertext), additionalData(encappedPublic, target))
    t.is(hex(opened), openKey(dataKey, key.sealed, { ...key, organizationId: bench.organizationId }).toString('hex'))
    const another = await suite.kem.generateKeyPair()
    const stranger = await suite.createRecipientContext({ recipientKey: another, enc: bytes(encappedPublic), info })
    await t.throwsAsync(stranger.open(bytes(ciphertext), additionalData(encappedPublic, target)))
  })
}

test('the component imports what @hpke/core seals', async (t) => {
  const { users } = JSON.parse(bench.organization.text) as { users: { userId: string }[] }
  const userId = users[0]?.userId as string
  const init = bench.component.gate.perform(bench.request('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId }))
  const { importBundle } = (JSON.parse(init.result) as { initImportPrivateKeyResult: { importBundle: string } })
    .initImportPrivateKeyResult
  const { targetPublic } = innerOf(importBundle)
  const recipientPublicKey = await suite.kem.importKey('raw', bytes(targetPublic), true)
  const secret = Buffer.from('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318', 'hex')
  const sender = await suite.createSenderContext({ recipientPublicKey, info })
  const encappedPublic = hex(sender.enc)
  const ciphertext = hex(
    await sender.seal(Uint8Array.from(secret).buffer, additionalData(encappedPublic, targetPublic)),
  )
  const parameters = {
    ...{ userId, privateKeyName: 'imported', curve: 'CURVE_SECP256K1', addressFormats: [] },
    encryptedBundle: JSON.stringify({ encappedPublic, ciphertext }),
  }
  const { importTarget } = init
  const request = bench.request('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', parameters, [], { importTarget })
  const [created] = bench.component.gate.perform(request).newKeys
  t.deepEqual(Buffer.from(created?.key.publicKey ?? []), publicKeyOf('secp256k1', secret))
})
