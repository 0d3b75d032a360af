/** The engines alone, without the gate, and the anchors beside them. */
import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import sodium from 'libsodium-wrappers'
import * as tinySecp256k1 from 'tiny-secp256k1'
import { builtEngine } from '../test/support/engines.ts'
import { sealedWallet } from '../test/support/sealed-keys.ts'
import type { Contestant, EngineCase, EngineJob } from './engine-cases.ts'
import { measure, type Measured } from './measure.ts'
import { answerJob } from './worker.ts'

const HARDENED = 0x8000_0000
const bip44 = (...rest: number[]) => Uint32Array.from([44 + HARDENED, 60 + HARDENED, HARDENED, ...rest])
const binding = randomBytes(80)
const digest = Uint8Array.from(randomBytes(32))
const kilobyte = Uint8Array.from(randomBytes(1024))
const hundredKilobytes = Uint8Array.from(randomBytes(102_400))

type Work = () => unknown

async function engineWork(name: 'fast' | 'reference', what: EngineCase): Promise<Work> {
  const open = await builtEngine(name)
  if (open === undefined) throw new Error('the fast engine has not been built')
  const { engine, vault } = open((length) => Uint8Array.from(randomBytes(length)))
  const dataKey = randomBytes(32)
  vault.load(dataKey)
  const keyOf = (curve: 'secp256k1' | 'ed25519' | 'p256') => ({ curve, ...engine.generate(curve, binding), binding })
  const [secp256k1Key, ed25519Key, p256Key] = [keyOf('secp256k1'), keyOf('ed25519'), keyOf('p256')]
  const wallet = sealedWallet(dataKey, generateMnemonic(wordlist, 256), binding)
  const works: Record<EngineCase, Work> = {
    'sign-secp256k1': () => engine.sign(secp256k1Key, 'ecdsa', digest),
    'sign-ed25519': () => engine.sign(ed25519Key, 'eddsa', digest),
    'sign-p256': () => engine.sign(p256Key, 'ecdsa', digest),
    'sign-bip340': () => engine.sign(secp256k1Key, 'bip340', digest),
    'key-secp256k1': () => engine.generate('secp256k1', binding),
    'key-ed25519': () => engine.generate('ed25519', binding),
    'key-p256': () => engine.generate('p256', binding),
    'derive-secp256k1': () => engine.derive(wallet, 'secp256k1', bip44(0, 1), binding),
    'derive-ed25519': () => engine.derive(wallet, 'ed25519', bip44(HARDENED), binding),
    'derive-p256': () => engine.derive(wallet, 'p256', bip44(0, 1), binding),
    wallet: () => engine.generateWallet(24, binding),
    'keccak256-1k': () => engine.digest('keccak256', kilobyte),
    'keccak256-100k': () => engine.digest('keccak256', hundredKilobytes),
    'ed25519-1k': () => engine.sign(ed25519Key, 'eddsa', kilobyte),
    'ed25519-100k': () => engine.sign(ed25519Key, 'eddsa', hundredKilobytes),
  }
  return works[what]
}

function nobleWork(what: EngineCase): Work | undefined {
  const secret = secp256k1.utils.randomSecretKey()
  const ecdsa = { prehash: false, lowS: true, format: 'recovered' } as const
  const works: Partial<Record<EngineCase, Work>> = {
    'sign-secp256k1': () => secp256k1.sign(digest, secret, ecdsa),
    'sign-ed25519': () => ed25519.sign(digest, secret),
    'sign-p256': () => p256.sign(digest, secret, ecdsa),
    'sign-bip340': () => schnorr.sign(digest, secret, new Uint8Array(32)),
    'key-secp256k1': () => secp256k1.keygen(),
    'key-ed25519': () => ed25519.keygen(),
    'key-p256': () => p256.keygen(),
    wallet: () => mnemonicToSeedSync(generateMnemonic(wordlist, 256)),
    'keccak256-1k': () => keccak_256(kilobyte),
    'keccak256-100k': () => keccak_256(hundredKilobytes),
  }
  return works[what]
}

function tinySecp256k1Work(what: EngineCase): Work | undefined {
  const secret = secp256k1.utils.randomSecretKey()
  const works: Partial<Record<EngineCase, Work>> = {
    'sign-secp256k1': () => tinySecp256k1.sign(digest, secret),
    'sign-bip340': () => tinySecp256k1.signSchnorr(digest, secret, new Uint8Array(32)),
    'key-secp256k1': () => tinySecp256k1.pointFromScalar(randomBytes(32)),
  }
  return works[what]
}

async function sodiumWork(what: EngineCase): Promise<Work | undefined> {
  // Its functions are there only after this, and only on the default export.
  // oxlint-disable-next-line import/no-named-as-default-member
  await sodium.ready
  const { privateKey } = sodium.crypto_sign_keypair()
  const works: Partial<Record<EngineCase, Work>> = {
    'sign-ed25519': () => sodium.crypto_sign_detached(digest, privateKey),
    'key-ed25519': () => sodium.crypto_sign_keypair(),
    'ed25519-1k': () => sodium.crypto_sign_detached(kilobyte, privateKey),
    'ed25519-100k': () => sodium.crypto_sign_detached(hundredKilobytes, privateKey),
  }
  return works[what]
}

async function workOf(contestant: Contestant, what: EngineCase): Promise<Work | undefined> {
  switch (contestant) {
    case 'fast':
    case 'reference':
      return engineWork(contestant, what)
    case 'noble in V8':
      return nobleWork(what)
    case 'tiny-secp256k1':
      return tinySecp256k1Work(what)
    case 'libsodium-wrappers':
      return sodiumWork(what)
  }
}

async function measureEngine({ contestant, what, seconds }: EngineJob): Promise<Measured> {
  const work = await workOf(contestant, what)
  if (work === undefined) throw new Error(`${contestant} has no ${what}`)
  return measure({ clients: 1, seconds }, async () => work() !== undefined)
}

answerJob(measureEngine)
