/**
 * What the unmodified client makes of export bundles that are not quite right: the verdicts of the vectors, which are
 * why the signer writes bundles as it does. The bundles are made here, by @hpke/core and the vectors' signer key.
 */
import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { decryptExportBundle } from '@turnkey/crypto'
import test from 'ava'
import { apiKeyOf } from '../support/client.ts'

interface Verdict {
  name: string
  opens: boolean
  error?: string
}
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/export-bundles.json'), 'utf8')) as {
  signature: { signerPrivateKey: string; signerPublicKey: string }
  export: { organizationId: string; targetPrivateKey: string; targetPublicKey: string; plaintextHex: string }[]
  exportNegative: Verdict[]
}
const { signerPrivateKey, signerPublicKey } = vectors.signature
const [vector] = vectors.export
if (vector === undefined) throw new Error('no export vector')
const { organizationId, targetPrivateKey, targetPublicKey, plaintextHex } = vector

const buffer = (text: string) => Uint8Array.from(Buffer.from(text, 'hex')).buffer
const compressed = (point: string) => `0${2 + (Number.parseInt(point.slice(-1), 16) % 2)}${point.slice(2, 66)}`
const signer = apiKeyOf({ apiPublicKey: compressed(signerPublicKey), apiPrivateKey: signerPrivateKey })

interface Making {
  additionalData?: string
  /** Of the object that is signed. */
  inner?: (inner: { encappedPublic: string }) => object
  signed?: (dataHex: string) => Uint8Array
  outer?: (bundle: { data: string; version?: string; enclaveQuorumPublic: string }) => void
  organizationId?: string
  override?: string | undefined
}

/** Seals, signs and opens; what is not stated is as it should be. */
async function open(making: Making): Promise<string> {
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const recipientPublicKey = await suite.kem.importKey('raw', buffer(targetPublicKey), true)
  const info = new TextEncoder().encode('turnkey_hpke').buffer
  const sender = await suite.createSenderContext({ recipientPublicKey, info })
  const encappedPublic = Buffer.from(sender.enc).toString('hex')
  const sealed = await sender.seal(
    buffer(plaintextHex),
    buffer(making.additionalData ?? encappedPublic + targetPublicKey),
  )
  const inner = { encappedPublic, ciphertext: Buffer.from(sealed).toString('hex'), organizationId }
  const data = Buffer.from(JSON.stringify(making.inner?.(inner) ?? inner)).toString('hex')
  const dataSignature = sign('sha256', making.signed?.(data) ?? Buffer.from(data, 'hex'), signer).toString('hex')
  const bundle = { version: 'v1.0.0', data, dataSignature, enclaveQuorumPublic: signerPublicKey }
  making.outer?.(bundle)
  const override = 'override' in making ? making.override : signerPublicKey
  return decryptExportBundle({
    exportBundle: JSON.stringify(bundle),
    embeddedKey: targetPrivateKey,
    organizationId: making.organizationId ?? organizationId,
    ...(override !== undefined && { dangerouslyOverrideSignerPublicKey: override }),
    keyFormat: 'HEXADECIMAL',
    returnMnemonic: false,
  })
}

const makings: Record<string, Making> = {
  'upper-case signer key': {
    outer: (bundle) => (bundle.enclaveQuorumPublic = bundle.enclaveQuorumPublic.toUpperCase()),
  },
  'compressed signer key in bundle': { outer: (bundle) => (bundle.enclaveQuorumPublic = compressed(signerPublicKey)) },
  'other org': { organizationId: '00000000-0000-0000-0000-000000000000' },
  'no override': { override: undefined },
  'signature over the hex text instead of the bytes': { signed: (data) => Buffer.from(data) },
  'bit flipped data': {
    // The last digit of the organization id, so that the text stays JSON.
    outer: (bundle) => (bundle.data = bundle.data.replace(/(..)227d$/, (_, digit: string) => `${flipped(digit)}227d`)),
  },
  'no version field': { outer: (bundle) => delete bundle.version },
  'compressed encappedPublic': {
    inner: (inner) => ({ ...inner, encappedPublic: compressed(inner.encappedPublic) }),
  },
  'empty AAD': { additionalData: '' },
  'compressed override + compressed bundle key': {
    outer: (bundle) => (bundle.enclaveQuorumPublic = compressed(signerPublicKey)),
    override: compressed(signerPublicKey),
  },
  'extra fields in data': { inner: (inner) => ({ ...inner, more: { than: ['needed'] } }) },
}
const flipped = (byteHex: string) => (Number.parseInt(byteHex, 16) ^ 1).toString(16)

test('a bundle that is right opens', async (t) => {
  t.is(await open({}), plaintextHex)
})

test('every edge case has the verdict of the vectors', async (t) => {
  t.is(vectors.exportNegative.length, 11)
  t.deepEqual(
    Object.keys(makings),
    vectors.exportNegative.map(({ name }) => name),
  )
  for (const { name, opens, error } of vectors.exportNegative) {
    const making = makings[name] as Making
    if (opens) {
      t.is(await open(making), plaintextHex, name)
    } else {
      const thrown = await t.throwsAsync(open(making), undefined, name)
      // The vectors leave out keys of usual form and cut long texts.
      const message = thrown?.message.replaceAll(/04[0-9a-f]{128}/g, '<key>')
      t.true(message?.startsWith(error ?? '?'), `${name}: ${message}`)
    }
  }
})
