/** Private keys: made, derived, imported, used and exported, never shown. */
import type {
  Curve,
  FreshKey,
  Parcel,
  Scheme,
  SealedKey,
  SealedTarget,
  SealedWallet,
} from 'keystead:engine/engine@0.1.0'
import { p256 } from '@noble/curves/nist.js'
import { curves } from './curves.ts'
import { deriveSecretKey } from './derivation.ts'
import { openWith, sealTo } from './hpke.ts'
import { seal, withSecret, type SealIdentity } from './sealing.ts'
import { signWith } from './signing.ts'
import { sealMnemonic, withMnemonic, withSeed } from './wallets.ts'

const identityOf = (key: Omit<SealedKey, 'sealed'>): SealIdentity => ({ purpose: 'private-key', ...key })
const targetIdentityOf = ({ publicKey, binding }: Omit<SealedTarget, 'sealed'>): SealIdentity => ({
  purpose: 'import-target',
  curve: 'p256',
  publicKey,
  binding,
})

/** Seals a secret key and overwrites it. */
function keep(secretKey: Uint8Array, curve: Curve, binding: Uint8Array): FreshKey {
  try {
    const publicKey = curves[curve].publicKeyOf(secretKey)
    return { publicKey, sealed: seal(secretKey, identityOf({ curve, publicKey, binding })) }
  } finally {
    secretKey.fill(0)
  }
}

export function generate(curve: Curve, binding: Uint8Array): FreshKey {
  return keep(curves[curve].randomSecretKey(), curve, binding)
}

export function derive(
  wallet: SealedWallet,
  curve: Curve,
  path: Uint32Array | number[],
  keyBinding: Uint8Array,
): FreshKey {
  // QuickJS hands a u32 from 2^31 on over as a negative number.
  const levels = Array.from(path, (level) => level >>> 0)
  return withSeed(wallet, (seed) => keep(deriveSecretKey(seed, curve, levels), curve, keyBinding))
}

export function sign(key: SealedKey, scheme: Scheme, message: Uint8Array): Uint8Array {
  return withSecret(key.sealed, identityOf(key), (secretKey) =>
    signWith(scheme, key.curve, key.publicKey, message, secretKey),
  )
}

export function exportKey(key: SealedKey, recipient: Uint8Array): Parcel {
  return withSecret(key.sealed, identityOf(key), (secretKey) => sealTo(recipient, secretKey))
}

export function exportWallet(wallet: SealedWallet, recipient: Uint8Array): Parcel {
  return withMnemonic(wallet, (mnemonic) => sealTo(recipient, mnemonic))
}

export function generateTarget(binding: Uint8Array): FreshKey {
  const secretKey = p256.utils.randomSecretKey()
  try {
    const publicKey = p256.getPublicKey(secretKey, false)
    return { publicKey, sealed: seal(secretKey, targetIdentityOf({ publicKey, binding })) }
  } finally {
    secretKey.fill(0)
  }
}

function withImported<T>(target: SealedTarget, parcel: Parcel, use: (secret: Uint8Array) => T): T {
  return withSecret(target.sealed, targetIdentityOf(target), (secretKey) => {
    const imported = openWith(secretKey, target.publicKey, parcel)
    try {
      return use(imported)
    } finally {
      imported.fill(0)
    }
  })
}

export function importKey(target: SealedTarget, parcel: Parcel, curve: Curve, binding: Uint8Array): FreshKey {
  return withImported(target, parcel, (secretKey) => {
    if (secretKey.length !== 32 || !curves[curve].isSecretKey(secretKey)) throw 'bad-input'
    return keep(secretKey, curve, binding)
  })
}

export function importWallet(target: SealedTarget, parcel: Parcel, binding: Uint8Array): Uint8Array {
  return withImported(target, parcel, (text) => sealMnemonic(text, binding))
}
