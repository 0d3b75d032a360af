/** Random engine operations, valid and spoilt ones, each of one kind; the same seed makes the same operations. */
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { EngineInterface } from './engines.ts'
import type { SeededRandom } from './seeded-random.ts'

type Curve = Parameters<EngineInterface['generate']>[0]
type Scheme = Parameters<EngineInterface['sign']>[1]
type Hash = Parameters<EngineInterface['digest']>[0]

/** What operations work on; made once per run, by one of the engines. */
export interface Material {
  /** Per curve, some keys; those of small and large secrets among them. */
  keys: Record<Curve, Parameters<EngineInterface['sign']>[0][]>
  wallets: Parameters<EngineInterface['derive']>[0][]
  target: Parameters<EngineInterface['importKey']>[0]
  /** Seals any plaintext to the target. */
  sealToTarget: (plaintext: Uint8Array) => Parameters<EngineInterface['importKey']>[1]
}

export type Operation = (engine: EngineInterface) => unknown
export type MakeOperation = (random: SeededRandom, material: Material) => Operation

const curves: Curve[] = ['secp256k1', 'ed25519', 'p256']
const hashes: Hash[] = ['sha256', 'sha512', 'keccak256', 'sha3-256', 'ripemd160', 'blake2b256']
const purposes = ['organization', 'evaluation', 'key'] as const
const ORDERS = {
  secp256k1: 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n,
  p256: 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n,
  ed25519: 2n ** 252n + 27742317777372353535851937790883648493n,
}

function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
}

/** 32 bytes: mostly random, now and then next to a border that arithmetic could trip over. */
export function scalarLike(random: SeededRandom, curve: Curve): Uint8Array {
  const order = ORDERS[curve]
  const edges = [
    0n,
    1n,
    2n,
    order - 1n,
    order,
    order + 1n,
    order >> 1n,
    (order >> 1n) + 1n,
    2n ** 256n - 1n,
    2n ** 255n,
  ]
  return random.below(6) === 0 ? bytesOf(random.pick(edges)) : random.bytes(32)
}

/** Now and then one bit changed, or the end cut off, or a byte more. */
function spoilt(random: SeededRandom, bytes: Uint8Array, oneIn = 8): Uint8Array {
  if (random.below(oneIn) !== 0 || bytes.length === 0) return bytes
  const at = random.below(bytes.length)
  const ways = [
    () => bytes.with(at, (bytes[at] as number) ^ (1 << random.below(8))),
    () => bytes.slice(0, at),
    () => Uint8Array.of(...bytes, random.below(256)),
  ]
  return random.pick(ways)()
}

function signing(curve: Curve, scheme: Scheme): MakeOperation {
  return (random, { keys }) => {
    const key = random.pick(keys[curve])
    const sealed = spoilt(random, key.sealed, 30)
    const binding = spoilt(random, key.binding, 60)
    const any = scheme === 'eddsa' ? random.bytes(random.below(300)) : spoilt(random, scalarLike(random, curve), 30)
    return (engine) => engine.sign({ ...key, sealed, binding }, scheme, any)
  }
}

function deriving(curve: Curve): MakeOperation {
  return (random, { wallets }) => {
    const wallet = random.pick(wallets)
    const hardened = () => (curve === 'ed25519' ? random.below(20) > 0 : random.below(2) === 0)
    const number = () => random.pick([random.below(2 ** 31), random.below(100), 0, 2 ** 31 - 1])
    const levels = random.list(random.below(6), () => (number() | (hardened() ? 2 ** 31 : 0)) >>> 0)
    const binding = random.bytes(random.below(80))
    return (engine) => engine.derive(wallet, curve, Uint32Array.from(levels), binding)
  }
}

function mnemonicLike(random: SeededRandom): string {
  const words = entropyToMnemonic(random.bytes(random.pick([16, 20, 24, 28, 32])), wordlist).split(' ')
  if (random.below(2) === 0) words[random.below(words.length)] = random.pick(wordlist)
  if (random.below(8) === 0)
    words.splice(random.below(words.length), random.below(3), ...random.list(random.below(3), () => ''))
  return words.join(' ')
}

/** By name, every function of the engine interface. */
export const kinds: Record<string, MakeOperation> = {
  ...Object.fromEntries(
    curves.map((curve) => [
      `generate ${curve}`,
      (random: SeededRandom): Operation => {
        const binding = random.bytes(random.below(120))
        return (engine) => engine.generate(curve, binding)
      },
    ]),
  ),
  'sign secp256k1': signing('secp256k1', 'ecdsa'),
  'sign p256': signing('p256', 'ecdsa'),
  'sign ed25519': signing('ed25519', 'eddsa'),
  'sign bip340': signing('secp256k1', 'bip340'),
  'sign bip340-taproot': signing('secp256k1', 'bip340-taproot'),
  'taproot output key': (random, { keys }) => {
    const publicKey = spoilt(random, random.pick(keys.secp256k1).publicKey)
    return (engine) => engine.taprootOutputKey(publicKey)
  },
  ...Object.fromEntries(curves.map((curve) => [`derive ${curve}`, deriving(curve)])),
  'generate target': (random) => {
    const binding = random.bytes(random.below(120))
    return (engine) => engine.generateTarget(binding)
  },
  'export key': (random, { keys, target }) => {
    const key = random.pick(keys[random.pick(curves)])
    const compressed = Uint8Array.of(2 + ((target.publicKey[64] as number) & 1), ...target.publicKey.subarray(1, 33))
    const point = random.pick([target.publicKey, compressed, random.pick(keys.p256).publicKey])
    const recipient = spoilt(
      random,
      random.below(10) === 0 ? Uint8Array.of(random.below(5), ...random.bytes(32)) : point,
    )
    return (engine) => engine.exportKey(key, recipient)
  },
  'import key': (random, { target, sealToTarget }) => {
    const curve = random.pick(curves)
    const parcel = sealToTarget(spoilt(random, scalarLike(random, curve), 20))
    const encapsulated = spoilt(random, parcel.encapsulated, 20)
    const ciphertext = spoilt(random, parcel.ciphertext, 20)
    const binding = random.bytes(random.below(80))
    return (engine) => engine.importKey(target, { encapsulated, ciphertext }, curve, binding)
  },
  'export wallet': (random, { wallets, target }) => {
    const wallet = random.pick(wallets)
    const sealed = spoilt(random, wallet.sealed, 20)
    return (engine) => engine.exportWallet({ ...wallet, sealed }, target.publicKey)
  },
  'import wallet': (random, { target, sealToTarget }) => {
    const parcel = sealToTarget(Buffer.from(mnemonicLike(random)))
    return (engine) => engine.importWallet(target, parcel, Uint8Array.of(1))
  },
  'generate wallet': (random) => {
    const words = random.pick([12, 15, 18, 21, 24, 24, 13, 0])
    return (engine) => engine.generateWallet(words, Uint8Array.of(2))
  },
  attest: (random) => {
    const data = random.bytes(random.below(200))
    return (engine) => engine.attest(data)
  },
  notarize: (random) => {
    const purpose = random.pick(purposes)
    const text = random.bytes(random.below(500))
    return (engine) => {
      const seal = engine.notarize(purpose, text)
      return [seal, engine.isNotarized(purpose, text, seal), engine.isNotarized(purpose, seal, text)]
    }
  },
  ...Object.fromEntries(
    hashes.map((hash) => [
      `digest ${hash}`,
      (random: SeededRandom): Operation => {
        const data = random.bytes(random.below(random.below(10) === 0 ? 2_000 : 300))
        return (engine) => engine.digest(hash, data)
      },
    ]),
  ),
}
