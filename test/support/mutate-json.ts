/** Small damage to JSON texts: to their letters, and to the values that they say. */
import type { JsonValue } from '../../signer-core/protocol/strict-json.ts'
import type { SeededRandom } from './seeded-random.ts'

const LETTERS = '{}[]":,\\0123456789-+.eExXabuintysr _$[]()\u0000\u00e9\ud83d\u2028'
const VALUES: JsonValue[] = [
  ...[null, true, false, 0, -1, 1.5, 1e300, 2 ** 53 - 1, '', '0', '-1', '0x', '0x0', '0xzz', '1'.repeat(80)],
  ...[[], {}, [[]], [{}], '__proto__', 'constructor', 'uint8', 'uint8[]', 'bytes33', 'A[2][', 'EIP712Domain', '\u0000'],
  ...[`0x${'11'.repeat(20)}`, `0x${'11'.repeat(32)}`, `0x${'f'.repeat(65)}`, { name: 'a', type: 'A' }],
]

export function mutated(text: string, random: SeededRandom): string {
  const times = 1 + random.below(3)
  let now = text
  for (let i = 0; i < times; i++) now = random.below(3) === 0 ? mutatedText(now, random) : mutatedValue(now, random)
  return now
}

function mutatedText(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1)
  const length = random.below(4)
  const other = random.below(text.length + 1)
  const piece = random.pick(['', random.pick(LETTERS.split('')), text.slice(other, other + 1 + random.below(40))])
  return text.slice(0, at) + piece + text.slice(at + length)
}

/** Puts one value, or one value from elsewhere in the text, in the place of another, or renames a member. */
function mutatedValue(text: string, random: SeededRandom): string {
  const places: { holder: Record<string, JsonValue>; name: string }[] = []
  let root: JsonValue
  try {
    root = JSON.parse(text) as JsonValue
  } catch {
    return mutatedText(text, random)
  }
  collect(root, places)
  if (places.length === 0) return JSON.stringify(random.pick(VALUES))
  const { holder, name } = random.pick(places)
  const source = random.pick(places)
  const elsewhere = structuredClone(source.holder[source.name] as JsonValue)
  const kind = random.below(4)
  if (kind === 0) Reflect.deleteProperty(holder, name)
  else if (kind === 1) holder[source.name] = holder[name] as JsonValue
  else holder[name] = kind === 2 ? elsewhere : random.pick(VALUES)
  return JSON.stringify(root)
}

function collect(value: JsonValue, places: { holder: Record<string, JsonValue>; name: string }[]): void {
  if (typeof value !== 'object' || value === null) return
  const holder = value as Record<string, JsonValue>
  for (const [name, inner] of Object.entries(holder)) {
    places.push({ holder, name })
    collect(inner, places)
  }
}
