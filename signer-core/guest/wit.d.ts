/** What the components import, as `wit/deps/engine/engine.wit` says it. */
declare module 'keystead:engine/entropy@0.1.0' {
  export function fill(length: number): Uint8Array
}

declare module 'keystead:engine/engine@0.1.0' {
  export type Curve = 'secp256k1' | 'ed25519' | 'p256'
  export type Hash = 'sha256' | 'sha512' | 'keccak256' | 'sha3-256' | 'ripemd160' | 'blake2b256'
  export type NotaryPurpose = 'organization' | 'evaluation' | 'key'
  export type Scheme = 'ecdsa' | 'eddsa' | 'bip340' | 'bip340-taproot'
  export interface SealedKey {
    curve: Curve
    publicKey: Uint8Array
    sealed: Uint8Array
    binding: Uint8Array
  }
  export interface FreshKey {
    publicKey: Uint8Array
    sealed: Uint8Array
  }
  export interface SealedWallet {
    sealed: Uint8Array
    binding: Uint8Array
  }
  export interface SealedTarget {
    publicKey: Uint8Array
    sealed: Uint8Array
    binding: Uint8Array
  }
  export interface Parcel {
    encapsulated: Uint8Array
    ciphertext: Uint8Array
  }
  export function generate(curve: Curve, binding: Uint8Array): FreshKey
  export function sign(key: SealedKey, scheme: Scheme, message: Uint8Array): Uint8Array
  export function taprootOutputKey(publicKey: Uint8Array): Uint8Array
  export function generateWallet(words: number, binding: Uint8Array): Uint8Array
  export function derive(wallet: SealedWallet, curve: Curve, path: Uint32Array, keyBinding: Uint8Array): FreshKey
  export function exportKey(key: SealedKey, recipient: Uint8Array): Parcel
  export function exportWallet(wallet: SealedWallet, recipient: Uint8Array): Parcel
  export function generateTarget(binding: Uint8Array): FreshKey
  export function importKey(target: SealedTarget, parcel: Parcel, curve: Curve, binding: Uint8Array): FreshKey
  export function importWallet(target: SealedTarget, parcel: Parcel, binding: Uint8Array): Uint8Array
  export function identity(): Uint8Array
  export function attest(data: Uint8Array): Uint8Array
  export function digest(algorithm: Hash, data: Uint8Array): Uint8Array
  export function notarize(purpose: NotaryPurpose, text: Uint8Array): Uint8Array
  export function isNotarized(purpose: NotaryPurpose, text: Uint8Array, seal: Uint8Array): boolean
}
