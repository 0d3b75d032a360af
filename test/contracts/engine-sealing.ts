/** What is sealed opens for its identity and for nothing else; checked with the second implementation on node:crypto. */
import { publicKeyOf } from '../support/known-keys.ts'
import { openSecret, sealedWallet, sealSecret } from '../support/sealed-keys.ts'
import { curves, KNOWN_MNEMONIC, path, refused, schemeOf, type EngineRule } from './engine.ts'

const binding = Uint8Array.of(7, 7)
const message = new Uint8Array(32).fill(1)
const NONE = new Uint8Array(0)

export function sealingRules(rule: EngineRule): void {
  rule('a sealed key opens in the second implementation to the secret of its public key', (t, { engine, dataKey }) => {
    for (const curve of curves) {
      const { publicKey, sealed } = engine.generate(curve, binding)
      const secret = openSecret(dataKey, sealed, { purpose: 'private-key', curve, publicKey, binding })
      t.deepEqual(publicKeyOf(curve, secret), Buffer.from(publicKey))
      const again = sealSecret(dataKey, secret, { purpose: 'private-key', curve, publicKey, binding })
      t.is(
        engine.sign({ curve, publicKey, sealed: again, binding }, schemeOf[curve], message).length,
        curve === 'ed25519' ? 64 : 65,
      )
    }
    const { publicKey, sealed } = engine.generateTarget(binding)
    const target = openSecret(dataKey, sealed, { purpose: 'import-target', curve: 'p256', publicKey, binding })
    t.deepEqual(publicKeyOf('p256', target), Buffer.from(publicKey))
  })

  rule('a sealed key that differs in anything does not open', (t, { engine }) => {
    const key = { curve: 'secp256k1', ...engine.generate('secp256k1', binding), binding } as const
    const { publicKey } = engine.generate('secp256k1', binding)
    const others = {
      'another curve': { ...key, curve: 'p256' },
      'another public key': { ...key, publicKey },
      'another binding': { ...key, binding: Uint8Array.of(7, 8) },
      'a shorter binding': { ...key, binding: Uint8Array.of(7) },
      'no binding': { ...key, binding: NONE },
    } as const
    for (const [name, other] of Object.entries(others)) {
      refused(t, 'bad-seal', () => engine.sign(other, 'ecdsa', message), name)
      refused(t, 'bad-seal', () => engine.exportKey(other, message), name)
    }
    for (let i = 0; i < key.sealed.length; i++) {
      const sealed = key.sealed.with(i, (key.sealed[i] as number) ^ 1)
      refused(t, 'bad-seal', () => engine.sign({ ...key, sealed }, 'ecdsa', message), `byte ${i}`)
    }
    for (const length of [0, 1, 13, 28, 29, 30, 60]) {
      refused(t, 'bad-seal', () => engine.sign({ ...key, sealed: key.sealed.slice(0, length) }, 'ecdsa', message))
    }
  })

  rule('no kind of secret passes for another', (t, { engine, dataKey }) => {
    const key = { curve: 'p256', ...engine.generate('p256', binding), binding } as const
    const target = { ...engine.generateTarget(binding), binding }
    const wallet = sealedWallet(dataKey, KNOWN_MNEMONIC, binding)
    const parcel = engine.exportKey(key, target.publicKey)
    refused(t, 'bad-seal', () => engine.importKey(key, parcel, 'p256', binding))
    refused(t, 'bad-seal', () => engine.sign({ curve: 'p256', ...target }, 'ecdsa', message))
    refused(t, 'bad-seal', () => engine.derive(key, 'p256', path(1), binding))
    refused(t, 'bad-seal', () => engine.sign({ ...key, sealed: wallet.sealed }, 'ecdsa', message))
  })

  rule('two seals of one secret differ', (t, { engine, dataKey }) => {
    const wallet = sealedWallet(dataKey, KNOWN_MNEMONIC, binding)
    const [a, b] = [1, 2].map(() => engine.derive(wallet, 'secp256k1', path(1), binding))
    t.deepEqual(a?.publicKey, b?.publicKey)
    t.notDeepEqual(a?.sealed, b?.sealed)
  })

  rule('a wallet leaves as the mnemonic of its entropy and comes back as the same wallet', (t, { engine, dataKey }) => {
    const wallet = { sealed: engine.generateWallet(24, binding), binding }
    const identity = { purpose: 'wallet', curve: '', publicKey: NONE, binding } as const
    t.is(openSecret(dataKey, wallet.sealed, identity).length, 64 + 32)
    const target = { ...engine.generateTarget(binding), binding }
    const parcel = engine.exportWallet(wallet, target.publicKey)
    const imported = engine.importWallet(target, parcel, binding)
    t.deepEqual(openSecret(dataKey, imported, identity), openSecret(dataKey, wallet.sealed, identity))
  })
}
