/** What of the engines is measured, and how the report calls it. */
export const engineCases = {
  'sign-secp256k1': 'sign secp256k1',
  'sign-ed25519': 'sign ed25519',
  'sign-p256': 'sign p256',
  'sign-bip340': 'sign BIP-340',
  'key-secp256k1': 'new key secp256k1',
  'key-ed25519': 'new key ed25519',
  'key-p256': 'new key p256',
  'derive-secp256k1': 'derive secp256k1, 5 levels',
  'derive-ed25519': 'derive ed25519, 4 levels',
  'derive-p256': 'derive p256, 5 levels',
  wallet: 'new wallet of 24 words',
  'keccak256-1k': 'keccak256 of 1 KiB',
  'keccak256-100k': 'keccak256 of 100 KiB',
  'ed25519-1k': 'sign ed25519, 1 KiB',
  'ed25519-100k': 'sign ed25519, 100 KiB',
} as const
export type EngineCase = keyof typeof engineCases

/** Our engines, and what others reach: noble as V8 runs it, libsecp256k1 and libsodium as WebAssembly from npm. */
export const contestants = ['fast', 'reference', 'noble in V8', 'tiny-secp256k1', 'libsodium-wrappers'] as const
export type Contestant = (typeof contestants)[number]

/** Anchors open no sealed key and verify nothing; a new key is a public key to them. */
const anchorCases: Partial<Record<Contestant, readonly EngineCase[]>> = {
  'noble in V8': [
    'sign-secp256k1',
    'sign-ed25519',
    'sign-p256',
    'sign-bip340',
    'key-secp256k1',
    'key-ed25519',
    'key-p256',
    'wallet',
    'keccak256-1k',
    'keccak256-100k',
  ],
  'tiny-secp256k1': ['sign-secp256k1', 'sign-bip340', 'key-secp256k1'],
  'libsodium-wrappers': ['sign-ed25519', 'key-ed25519', 'ed25519-1k', 'ed25519-100k'],
}

export function casesOf(contestant: Contestant): readonly EngineCase[] {
  return anchorCases[contestant] ?? (Object.keys(engineCases) as EngineCase[])
}

export interface EngineJob {
  contestant: Contestant
  what: EngineCase
  seconds: number
}
