/**
 * `node bench/timing.ts [--samples 100000]`: whether the time of the fast engine tells of its secrets. Each row compares two
 * classes of inputs that differ only in what must stay secret; the first row is a comparison that is known to leak and must
 * be caught, or the silence of the others would say nothing.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { publicKeyOf } from '../test/support/known-keys.ts'
import { builtEngine, outcomeOf, type EngineInterface } from '../test/support/engines.ts'
import { sealSecret } from '../test/support/sealed-keys.ts'
import { equalBytes } from '../signer-core/protocol/bytes.ts'
import { largestT } from './welch.ts'

const { values: options } = parseArgs({ options: { samples: { type: 'string', default: '100000' } } })
const samples = Number(options.samples)

const WARM_UP = 2_000
/** Different inputs per class, so that neither is the one that the caches know. */
const POOL = 64
/** Above it, there is a leak; the control must be above it. */
const T_MAX = 10

type Class = 0 | 1
/** One call with an input of the class. */
type Subject = (which: Class) => unknown

function pick<T>(pool: readonly T[]): T {
  return pool[randomInt(pool.length)] as T
}

function pools<T>(make: (which: Class) => T): [T[], T[]] {
  const poolOf = (which: Class) => Array.from({ length: POOL }, () => make(which))
  return [poolOf(0), poolOf(1)]
}

function measured(subject: Subject, count: number): number {
  const times: [number[], number[]] = [[], []]
  for (let i = -WARM_UP; i < count; i++) {
    const which = randomInt(2) as Class
    const startedAt = process.hrtime.bigint()
    subject(which)
    const took = Number(process.hrtime.bigint() - startedAt)
    if (i >= 0) times[which].push(took)
  }
  return largestT(...times)
}

/** The first byte differs, or the last. */
function spoilt(bytes: Uint8Array, which: Class): Uint8Array {
  const at = which === 0 ? 0 : bytes.length - 1
  return bytes.with(at, (bytes[at] as number) ^ 1)
}

function leakyComparison(): Subject {
  const value = Uint8Array.from(randomBytes(32))
  const others = pools((which) => spoilt(value, which))
  return (which) => equalBytes(value, pick(others[which]))
}

const open = await builtEngine('fast')
if (open === undefined) throw new Error('the fast engine has not been built: npm run build:engine')
const { engine, vault } = open((length) => Uint8Array.from(randomBytes(length)))
const dataKey = randomBytes(32)
vault.load(dataKey)
const binding = randomBytes(80)
const messages = Array.from({ length: POOL }, () => Uint8Array.from(randomBytes(32)))

type Key = Parameters<EngineInterface['sign']>[0]

/** Secret keys below 2^64, or of full size. */
function keyOf(curve: Key['curve'], which: Class): Key {
  const secret = randomBytes(32)
  if (which === 0) secret.fill(0, 0, 24)
  const publicKey = Uint8Array.from(publicKeyOf(curve, secret))
  return {
    curve,
    publicKey,
    sealed: sealSecret(dataKey, secret, { purpose: 'private-key', curve, publicKey, binding }),
    binding,
  }
}

function signing(curve: Key['curve'], scheme: Parameters<EngineInterface['sign']>[1]): Subject {
  const keys = pools((which) => keyOf(curve, which))
  return (which) => engine.sign(pick(keys[which]), scheme, pick(messages))
}

/** Where in the tag, or whether in the ciphertext instead, a sealed key was altered. */
function unsealing(alter: (sealed: Uint8Array, which: Class) => Uint8Array): Subject {
  const keys = pools((which) => {
    const key = keyOf('ed25519', 1)
    return { ...key, sealed: alter(key.sealed, which) }
  })
  return (which) => outcomeOf(() => engine.sign(pick(keys[which]), 'eddsa', messages[0] as Uint8Array))
}

function notarySeals(): Subject {
  const text = randomBytes(200)
  const seals = pools((which) => spoilt(engine.notarize('organization', text), which))
  return (which) => engine.isNotarized('organization', text, pick(seals[which]))
}

function exporting(): Subject {
  const keys = pools((which) => keyOf('secp256k1', which))
  const { publicKey } = engine.generateTarget(binding)
  return (which) => engine.exportKey(pick(keys[which]), publicKey)
}

const tagAt = (sealed: Uint8Array) => sealed.length - 16
const rows: Record<string, () => Subject> = {
  'sign secp256k1, small or full secret': () => signing('secp256k1', 'ecdsa'),
  'sign BIP-340, small or full secret': () => signing('secp256k1', 'bip340'),
  'sign p256, small or full secret': () => signing('p256', 'ecdsa'),
  'sign ed25519, small or full secret': () => signing('ed25519', 'eddsa'),
  'export, small or full secret': exporting,
  'tag of a sealed key, first or last byte': () =>
    unsealing((sealed, which) =>
      Uint8Array.of(...sealed.subarray(0, tagAt(sealed)), ...spoilt(sealed.subarray(tagAt(sealed)), which)),
    ),
  'sealed key, altered text or tag': () =>
    unsealing((sealed, which) => sealed.with(which === 0 ? 20 : tagAt(sealed), 0xff ^ (sealed[20] as number))),
  'seal of a notary, first or last byte': notarySeals,
}

const control = measured(leakyComparison(), samples)
console.log(`${control.toFixed(1).padStart(8)}  control: early-exit comparison, must be above ${T_MAX}`)
let leaks = 0
for (const [name, make] of Object.entries(rows)) {
  const t = measured(make(), samples)
  if (t > T_MAX) leaks++
  console.log(`${t.toFixed(1).padStart(8)}  ${name}`)
}
console.log(leaks === 0 ? `no row above ${T_MAX}` : `${leaks} rows above ${T_MAX}`)
if (control <= T_MAX || leaks > 0) process.exitCode = 1
