/**
 * `node test/support/differential.ts <seed> <count> [kind,kind...]`: random operations by both engines, compared bit for bit.
 * Prints one line of JSON per kind; stops a kind at its first difference. Of operations that make a wallet it runs a
 * twentieth, because each takes twenty times as long.
 */
import { builtEngine, outcomeOf, SeededEntropy, type Engine } from './engines.ts'
import { kinds, scalarLike, type Material } from './random-operations.ts'
import { nativeReference } from './native-reference.ts'
import { sealedWallet } from './sealed-keys.ts'
import { SeededRandom } from './seeded-random.ts'

export interface DifferentialResult {
  kind: string
  count: number
  /** How many were refused, by both alike. */
  refused: number
  difference?: { operation: number; reference: string; fast: string }
}

const MNEMONICS = [
  `${'abandon '.repeat(11)}about`,
  `${'zoo '.repeat(11)}wrong`,
  `${'letter advice cage absurd amount doctor acoustic avoid '.repeat(2)}letter always`,
]
const KEYS_PER_CURVE = 12

const [seedText = '1', countText = '500', kindsText] = process.argv.slice(2)
const seed = Number(seedText)
const openFast = await builtEngine('fast')
if (openFast === undefined) throw new Error('the fast engine has not been built')
const entropies = { reference: new SeededEntropy(seedText), fast: new SeededEntropy(seedText) }
const fast = openFast(entropies.fast.fill)
const { sealTo } = await import('../../signer-core/engine-reference/hpke.ts')
const reference = (await nativeReference())(entropies.reference.fill)
const dataKey = new SeededRandom(seed).bytes(32)
for (const { vault } of [fast, reference]) vault.load(dataKey)

function both(operation: number, work: (engine: Engine['engine']) => unknown): [string, string] {
  return [shown(entropies.reference, reference), shown(entropies.fast, fast)]
  function shown(entropy: SeededEntropy, { engine }: Engine): string {
    entropy.next(operation)
    return JSON.stringify(
      outcomeOf(() => work(engine)),
      (_key, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
    )
  }
}

function makeMaterial(random: SeededRandom): Material {
  const binding = random.bytes(50)
  const target = { ...fast.engine.generateTarget(binding), binding }
  const sealToTarget = (plaintext: Uint8Array) => sealTo(target.publicKey, plaintext)
  const keyOf = (curve: 'secp256k1' | 'ed25519' | 'p256') => {
    for (;;) {
      const parcel = sealToTarget(scalarLike(random, curve))
      const imported = outcomeOf(() => fast.engine.importKey(target, parcel, curve, binding))
      if ('value' in imported) return { curve, ...imported.value, binding }
    }
  }
  const keysOf = (curve: 'secp256k1' | 'ed25519' | 'p256') => random.list(KEYS_PER_CURVE, () => keyOf(curve))
  return {
    keys: { secp256k1: keysOf('secp256k1'), ed25519: keysOf('ed25519'), p256: keysOf('p256') },
    wallets: MNEMONICS.map((mnemonic) => sealedWallet(dataKey, mnemonic, binding)),
    target,
    sealToTarget,
  }
}

function compare(kind: string, count: number, material: Material): DifferentialResult {
  const random = new SeededRandom(seed)
  let refused = 0
  for (let operation = 1; operation <= count; operation++) {
    const make = kinds[kind] as (typeof kinds)[string]
    const [ofReference, ofFast] = both(operation, make(random, material))
    if (ofReference !== ofFast) {
      return { kind, count: operation, refused, difference: { operation, reference: ofReference, fast: ofFast } }
    }
    if (ofReference.startsWith('{"fault"')) refused++
  }
  return { kind, count, refused }
}

const material = makeMaterial(new SeededRandom(seed))
for (const kind of kindsText?.split(',') ?? Object.keys(kinds)) {
  const makesWallets = kind === 'generate wallet' || kind === 'import wallet'
  const count = makesWallets ? Math.ceil(Number(countText) / 20) : Number(countText)
  console.log(JSON.stringify(compare(kind, count, material)))
}
