/**
 * BIP-39 wallets: English word list, no passphrase. Entropy and seed are sealed together, because the seed costs
 * 2048 rounds of PBKDF2 and every derivation needs it.
 */
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { SealedWallet } from 'keystead:engine/engine@0.1.0'
import { randomBytes } from '../guest/random.ts'
import { concatBytes, utf8ToBytes } from '../protocol/bytes.ts'
import { seal, withSecret, type SealIdentity } from './sealing.ts'

const SEED_BYTES = 64
/** BIP-39: a word stands for 11 bits, one in 33 of all bits is checksum. */
const ENTROPY_BYTES_OF_WORDS = new Map([12, 15, 18, 21, 24].map((words) => [words, (words * 4) / 3]))
const NO_BYTES = new Uint8Array(0)

function identityOf(binding: Uint8Array): SealIdentity {
  return { purpose: 'wallet', curve: '', publicKey: NO_BYTES, binding }
}

export function generateWallet(words: number, binding: Uint8Array): Uint8Array {
  const lengthBytes = ENTROPY_BYTES_OF_WORDS.get(words)
  if (lengthBytes === undefined) throw 'bad-input'
  const entropy = randomBytes(lengthBytes)
  try {
    return sealWallet(entropy, binding)
  } finally {
    entropy.fill(0)
  }
}

/** @param text UTF-8 of an English mnemonic. @throws `bad-input` when it is none. */
export function sealMnemonic(text: Uint8Array, binding: Uint8Array): Uint8Array {
  const entropy = entropyOf(text)
  try {
    return sealWallet(entropy, binding)
  } finally {
    entropy.fill(0)
  }
}

function entropyOf(text: Uint8Array): Uint8Array {
  // The word list is ASCII; whatever is not cannot be one of its words.
  if (text.length > 256 || text.some((byte) => byte > 0x7f)) throw 'bad-input'
  try {
    return mnemonicToEntropy(String.fromCharCode(...text), wordlist)
  } catch {
    throw 'bad-input'
  }
}

function sealWallet(entropy: Uint8Array, binding: Uint8Array): Uint8Array {
  const mnemonic = utf8ToBytes(entropyToMnemonic(entropy, wordlist))
  const seed = pbkdf2(sha512, mnemonic, utf8ToBytes('mnemonic'), { c: 2048, dkLen: SEED_BYTES })
  const secret = concatBytes(seed, entropy)
  try {
    return seal(secret, identityOf(binding))
  } finally {
    for (const each of [mnemonic, seed, secret]) each.fill(0)
  }
}

/** @throws `bad-seal` */
export function withSeed<T>({ sealed, binding }: SealedWallet, use: (seed: Uint8Array) => T): T {
  return withSecret(sealed, identityOf(binding), (secret) => use(secret.subarray(0, SEED_BYTES)))
}

/** The mnemonic as UTF-8. @throws `bad-seal` */
export function withMnemonic<T>({ sealed, binding }: SealedWallet, use: (mnemonic: Uint8Array) => T): T {
  return withSecret(sealed, identityOf(binding), (secret) => {
    const mnemonic = utf8ToBytes(entropyToMnemonic(secret.slice(SEED_BYTES), wordlist))
    try {
      return use(mnemonic)
    } finally {
      mnemonic.fill(0)
    }
  })
}
