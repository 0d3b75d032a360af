/** What an engine refuses, and with which fault. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sealedWallet } from '../support/sealed-keys.ts'
import { curves, KNOWN_MNEMONIC, path, refused, schemeOf, type EngineRule } from './engine.ts'

const binding = Uint8Array.of(1, 2, 3)
const message = new Uint8Array(32).fill(5)
const HARDENED = 0x8000_0000

const wycheproof = JSON.parse(
  readFileSync(join(import.meta.dirname, '../vectors/wycheproof-ecdsa-p256-sha256.json'), 'utf8'),
) as { invalidPublicKeys: { tests: { tcId: number; publicKey: string }[] } }
const invalidPoints = wycheproof.invalidPublicKeys.tests.map(({ tcId, publicKey }) => ({
  tcId,
  point: Uint8Array.from(Buffer.from(publicKey, 'hex')),
}))

export function faultRules(rule: EngineRule): void {
  rule('the vault loads 32 bytes once, and again after a wipe', (t, { open, dataKey }) => {
    const { vault, engine } = open()
    for (const length of [0, 31, 33, 64]) refused(t, 'bad-length', () => vault.load(new Uint8Array(length)))
    vault.load(dataKey)
    const first = engine.identity()
    refused(t, 'already-loaded', () => vault.load(dataKey))
    refused(t, 'bad-length', () => vault.load(new Uint8Array(31)))
    vault.wipe()
    vault.wipe()
    refused(t, 'no-data-key', () => engine.identity())
    vault.load(dataKey)
    t.deepEqual(engine.identity(), first)
  })

  rule('without a data key everything that needs one says so', (t, { engine, open, vault, dataKey }) => {
    const key = { curve: 'p256', ...engine.generate('p256', binding), binding } as const
    const target = { ...engine.generateTarget(binding), binding }
    const wallet = sealedWallet(dataKey, KNOWN_MNEMONIC, binding)
    const parcel = engine.exportKey(key, target.publicKey)
    vault.wipe()
    for (const each of [engine, open().engine]) {
      const calls: Record<string, () => unknown> = {
        generate: () => each.generate('ed25519', binding),
        sign: () => each.sign(key, 'ecdsa', message),
        derive: () => each.derive(wallet, 'p256', path(1), binding),
        exportKey: () => each.exportKey(key, target.publicKey),
        exportWallet: () => each.exportWallet(wallet, target.publicKey),
        target: () => each.generateTarget(binding),
        importKey: () => each.importKey(target, parcel, 'p256', binding),
        importWallet: () => each.importWallet(target, parcel, binding),
        identity: () => each.identity(),
        attest: () => each.attest(message),
        notarize: () => each.notarize('key', message),
        isNotarized: () => each.isNotarized('key', message, message),
      }
      for (const [name, call] of Object.entries(calls)) refused(t, 'no-data-key', call, name)
      t.is(each.digest('sha256', message).length, 32)
    }
  })

  rule('a scheme that is not the curve’s, or a message of the wrong length, is refused', (t, { engine }) => {
    const fits = {
      ecdsa: ['secp256k1', 'p256'],
      eddsa: ['ed25519'],
      bip340: ['secp256k1'],
      'bip340-taproot': ['secp256k1'],
    }
    for (const curve of curves) {
      const key = { curve, ...engine.generate(curve, binding), binding }
      for (const [name, curvesOfScheme] of Object.entries(fits)) {
        const scheme = name as keyof typeof fits
        const is = curvesOfScheme.includes(curve)
        if (is) t.is(engine.sign(key, scheme, message).length, scheme === 'ecdsa' ? 65 : 64)
        else refused(t, 'bad-input', () => engine.sign(key, scheme, message))
        for (const length of [0, 31, 33, 64]) {
          const odd = new Uint8Array(length)
          if (is && scheme === 'eddsa') t.is(engine.sign(key, scheme, odd).length, 64)
          else refused(t, 'bad-input', () => engine.sign(key, scheme, odd), `${curve} ${scheme} ${length}`)
        }
      }
    }
  })

  rule('only the word counts of BIP-39 make a wallet', (t, { engine }) => {
    for (const words of [0, 1, 3, 9, 11, 13, 14, 16, 23, 25, 27, 2 ** 32 - 1]) {
      refused(t, 'bad-input', () => engine.generateWallet(words, binding), String(words))
    }
  })

  rule('a level that is not hardened is refused on ed25519, one that is has another key', (t, { engine, dataKey }) => {
    const wallet = sealedWallet(dataKey, KNOWN_MNEMONIC, binding)
    refused(t, 'bad-input', () => engine.derive(wallet, 'ed25519', path(0), binding))
    refused(t, 'bad-input', () => engine.derive(wallet, 'ed25519', path(HARDENED, HARDENED - 1), binding))
    for (const curve of ['secp256k1', 'p256'] as const) {
      const normal = engine.derive(wallet, curve, path(7), binding)
      t.notDeepEqual(engine.derive(wallet, curve, path(HARDENED + 7), binding).publicKey, normal.publicKey)
    }
  })

  rule('what is no point of the curve is no recipient, no encapsulated key and no taproot key', (t, { engine }) => {
    const key = { curve: 'p256', ...engine.generate('p256', binding), binding } as const
    const target = { ...engine.generateTarget(binding), binding }
    const { ciphertext } = engine.exportKey(key, target.publicKey)
    t.is(invalidPoints.length, 24)
    for (const { tcId, point } of invalidPoints) {
      refused(t, 'bad-input', () => engine.exportKey(key, point), `recipient ${tcId}`)
      const parcel = { encapsulated: point, ciphertext }
      refused(t, 'bad-input', () => engine.importKey(target, parcel, 'p256', binding), `encapsulated ${tcId}`)
    }
    const { publicKey } = engine.generate('secp256k1', binding)
    const offCurve = publicKey.with(64, (publicKey[64] as number) ^ 1)
    const compressed = publicKey.slice(0, 33).with(0, 2)
    for (const none of [offCurve, compressed, publicKey.with(0, 6), publicKey.slice(0, 64), new Uint8Array(0)]) {
      refused(t, 'bad-input', () => engine.taprootOutputKey(none))
    }
  })

  rule('a parcel of another target, or altered anywhere, does not open', (t, { engine }) => {
    const key = { curve: 'ed25519', ...engine.generate('ed25519', binding), binding } as const
    const target = { ...engine.generateTarget(binding), binding }
    const other = { ...engine.generateTarget(binding), binding }
    const parcel = engine.exportKey(key, target.publicKey)
    const open =
      (ciphertext: Uint8Array, by = target) =>
      () =>
        engine.importKey(by, { ...parcel, ciphertext }, 'ed25519', binding)
    t.deepEqual(engine.importKey(target, parcel, 'ed25519', binding).publicKey, key.publicKey)
    refused(t, 'bad-seal', open(parcel.ciphertext, other))
    for (let i = 0; i < parcel.ciphertext.length; i++) {
      refused(t, 'bad-seal', open(parcel.ciphertext.with(i, (parcel.ciphertext[i] as number) ^ 0x80)))
    }
    for (const length of [0, 1, 15, 16, 47]) refused(t, 'bad-seal', open(parcel.ciphertext.slice(0, length)))
    refused(t, 'bad-input', () => engine.importWallet(target, parcel, binding), 'a key is no mnemonic')
  })

  rule('a notary’s seal is for one purpose and one text', (t, { engine }) => {
    const text = Uint8Array.of(9, 9)
    const seal = engine.notarize('organization', text)
    t.true(engine.isNotarized('organization', text, seal))
    t.false(engine.isNotarized('evaluation', text, seal))
    t.false(engine.isNotarized('key', text, seal))
    t.false(engine.isNotarized('organization', Uint8Array.of(9, 8), seal))
    for (let i = 0; i < seal.length; i++)
      t.false(engine.isNotarized('organization', text, seal.with(i, (seal[i] as number) ^ 1)))
    for (const length of [0, 31]) t.false(engine.isNotarized('organization', text, seal.slice(0, length)))
    t.false(engine.isNotarized('organization', text, Uint8Array.of(...seal, 0)))
  })

  rule('a message of 100 KB is digested and signed', (t, { engine }) => {
    const long = new Uint8Array(100_000).fill(7)
    t.is(engine.digest('sha256', long).length, 32)
    const key = { curve: 'ed25519', ...engine.generate('ed25519', binding), binding } as const
    t.is(engine.sign(key, schemeOf.ed25519, long).length, 64)
  })
}
