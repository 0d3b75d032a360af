/** Changes to a payment's body, one member at a time, and whether the payment is still the same. */
import type { Hex } from 'viem'
import type { Json } from './payments.ts'

export interface Mutation {
  readonly name: string
  /** `same`: what is asked and paid has not changed, so it must still pass. */
  readonly expected: 'refused' | 'same'
  apply(body: Json): void
}

/** Secp256k1's order. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const DELETE = Symbol('delete')
type Value = Json | typeof DELETE

const WRONG: Record<string, Value> = {
  missing: DELETE,
  null: null,
  number: 7,
  boolean: true,
  list: [],
  object: {},
  'empty text': '',
  'other text': 'anything else',
  'text that is no number': '1e6',
  'negative text': '-1',
}

const AUTHORIZATION = 'paymentPayload.payload.authorization'
const OTHER_ADDRESS = '0x00000000000000000000000000000000000e15e5'

/** Members of both versions that must be what they are. */
const shared: readonly string[] = [
  'paymentPayload',
  'paymentPayload.x402Version',
  'paymentPayload.payload',
  'paymentPayload.payload.signature',
  AUTHORIZATION,
  ...['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'].map((name) => `${AUTHORIZATION}.${name}`),
  'paymentRequirements',
  ...['scheme', 'network', 'asset', 'payTo', 'extra', 'extra.name', 'extra.version'].map(
    (name) => `paymentRequirements.${name}`,
  ),
]

const only: Record<1 | 2, readonly string[]> = {
  1: ['paymentPayload.scheme', 'paymentPayload.network', 'paymentRequirements.maxAmountRequired'],
  2: [
    'paymentPayload.accepted',
    ...['scheme', 'network', 'amount', 'asset', 'payTo', 'extra', 'extra.name', 'extra.version'].map(
      (name) => `paymentPayload.accepted.${name}`,
    ),
    'paymentRequirements.amount',
  ],
}

export function mutations(version: 1 | 2): Mutation[] {
  const members = [...shared, ...only[version]]
  const wrong = members.flatMap((path) =>
    Object.entries(WRONG).map(([kind, value]) => mutation(`${path}: ${kind}`, 'refused', path, () => value)),
  )
  return [...wrong, ...exact, ...(version === 1 ? exact1 : exact2), ...harmless]
}

/** Small changes, each of one meaning. */
const exact: readonly Mutation[] = [
  mutation('signature: one bit', 'refused', 'paymentPayload.payload.signature', (text) => flipLast(text, 40)),
  mutation('signature: v of 29', 'refused', 'paymentPayload.payload.signature', (text) => `${cut(text)}1d`),
  mutation('signature: the other v', 'refused', 'paymentPayload.payload.signature', otherV),
  mutation('signature: cut', 'refused', 'paymentPayload.payload.signature', (text) => text.slice(0, -4)),
  mutation('signature: longer', 'refused', 'paymentPayload.payload.signature', (text) => `${text}00`),
  mutation('signature: s of 0', 'refused', 'paymentPayload.payload.signature', (text) => withS(text, 0n)),
  mutation('signature: s beyond the order', 'refused', 'paymentPayload.payload.signature', (text) =>
    withS(text, ORDER + 1n),
  ),
  mutation(
    'signature: wrapped by ERC-6492',
    'refused',
    'paymentPayload.payload.signature',
    (text) => `${text}${'6492'.repeat(16)}`,
  ),
  mutation('from: another', 'refused', `${AUTHORIZATION}.from`, () => OTHER_ADDRESS),
  mutation('from: zero', 'refused', `${AUTHORIZATION}.from`, () => `0x${'0'.repeat(40)}`),
  mutation('to: another', 'refused', `${AUTHORIZATION}.to`, () => OTHER_ADDRESS),
  mutation('value: one more', 'refused', `${AUTHORIZATION}.value`, (text) => String(BigInt(text) + 1n)),
  mutation('value: one less', 'refused', `${AUTHORIZATION}.value`, (text) => String(BigInt(text) - 1n)),
  mutation('value: leading zero', 'refused', `${AUTHORIZATION}.value`, (text) => `0${text}`),
  mutation('value: hexadecimal', 'refused', `${AUTHORIZATION}.value`, (text) => `0x${BigInt(text).toString(16)}`),
  mutation('value: 2^256', 'refused', `${AUTHORIZATION}.value`, () => String(2n ** 256n)),
  mutation('value: 2^256 more', 'refused', `${AUTHORIZATION}.value`, (text) => String(BigInt(text) + 2n ** 256n)),
  mutation('validAfter: earlier', 'refused', `${AUTHORIZATION}.validAfter`, (text) => String(BigInt(text) - 1n)),
  mutation('validAfter: zero', 'refused', `${AUTHORIZATION}.validAfter`, () => '0'),
  mutation('validBefore: later', 'refused', `${AUTHORIZATION}.validBefore`, (text) => String(BigInt(text) + 1n)),
  mutation('validBefore: never', 'refused', `${AUTHORIZATION}.validBefore`, () => String(2n ** 256n - 1n)),
  mutation('nonce: one bit', 'refused', `${AUTHORIZATION}.nonce`, (text) => flipLast(text, 1)),
  mutation('nonce: short', 'refused', `${AUTHORIZATION}.nonce`, (text) => text.slice(0, -2)),
  mutation('nonce: long', 'refused', `${AUTHORIZATION}.nonce`, (text) => `${text}00`),
  mutation('payTo: another', 'refused', 'paymentRequirements.payTo', () => OTHER_ADDRESS),
  mutation('asset: another', 'refused', 'paymentRequirements.asset', () => OTHER_ADDRESS),
  mutation('network: another chain', 'refused', 'paymentRequirements.network', () => 'base'),
  mutation('scheme: another', 'refused', 'paymentRequirements.scheme', () => 'upto'),
  mutation('extra.name: another', 'refused', 'paymentRequirements.extra.name', () => 'USD Coin'),
  mutation('extra.version: another', 'refused', 'paymentRequirements.extra.version', () => '2'),
  mutation('version: 3', 'refused', 'paymentPayload.x402Version', () => 3),
  mutation('version outside: 3', 'refused', 'x402Version', () => 3),
]

const exact1: readonly Mutation[] = [
  mutation('asked: one more', 'refused', 'paymentRequirements.maxAmountRequired', (text) => String(BigInt(text) + 1n)),
  mutation('asked: less', 'same', 'paymentRequirements.maxAmountRequired', (text) => String(BigInt(text) - 1n)),
  mutation('asked: below the floor', 'refused', 'paymentRequirements.maxAmountRequired', () => '1'),
  mutation('resource: missing', 'refused', 'paymentRequirements.resource', () => DELETE),
  mutation('resource: another', 'same', 'paymentRequirements.resource', () => 'https://other.example/'),
  mutation('description: missing', 'same', 'paymentRequirements.description', () => DELETE),
  mutation('mimeType: missing', 'same', 'paymentRequirements.mimeType', () => DELETE),
  mutation('network: the alias', 'same', 'paymentRequirements.network', () => 'testnet-sepolia'),
  mutation('version 2 in a body of version 1', 'refused', 'paymentPayload.x402Version', () => 2),
]

const exact2: readonly Mutation[] = [
  mutation('asked: one more', 'refused', 'paymentRequirements.amount', (text) => String(BigInt(text) + 1n)),
  mutation('asked: less', 'refused', 'paymentRequirements.amount', (text) => String(BigInt(text) - 1n)),
  mutation('accepted: less', 'refused', 'paymentPayload.accepted.amount', (text) => String(BigInt(text) - 1n)),
  mutation('accepted: another payee', 'refused', 'paymentPayload.accepted.payTo', () => OTHER_ADDRESS),
  mutation('resource: missing', 'same', 'paymentPayload.resource', () => DELETE),
  mutation('version 1 in a body of version 2', 'refused', 'paymentPayload.x402Version', () => 1),
]

const harmless: readonly Mutation[] = [
  mutation('version outside: missing', 'same', 'x402Version', () => DELETE),
  mutation('member that nobody knows', 'same', 'paymentRequirements.outputSchema', () => ({ input: { type: 'http' } })),
  mutation('member inside the authorization', 'same', `${AUTHORIZATION}.memo`, () => 'hello'),
  mutation('timeout: another', 'same', 'paymentRequirements.maxTimeoutSeconds', () => 1),
  mutation('payTo: in lower case', 'same', 'paymentRequirements.payTo', (text) => text.toLowerCase()),
  mutation('asset: in lower case', 'same', 'paymentRequirements.asset', (text) => text.toLowerCase()),
  mutation('nonce: in upper case', 'same', `${AUTHORIZATION}.nonce`, (text) => `0x${text.slice(2).toUpperCase()}`),
  mutation(
    'signature: in upper case',
    'same',
    'paymentPayload.payload.signature',
    (text) => `0x${text.slice(2).toUpperCase()}`,
  ),
  mutation(
    'signature: v of 0 or 1',
    'same',
    'paymentPayload.payload.signature',
    (text) => `${cut(text)}0${Number.parseInt(text.slice(-2), 16) - 27}`,
  ),
  mutation('signature: high s', 'same', 'paymentPayload.payload.signature', (text) =>
    otherV(withS(text, ORDER - BigInt(`0x${text.slice(66, 130)}`))),
  ),
  mutation('signature: compact', 'same', 'paymentPayload.payload.signature', compact),
]

function mutation(
  name: string,
  expected: Mutation['expected'],
  path: string,
  change: (before: string) => Value,
): Mutation {
  return { name, expected, apply: (body) => put(body, path.split('.'), change) }
}

function put(holder: Json, [first = '', ...rest]: string[], change: (before: string) => Value): void {
  const members = holder as Record<string, Json>
  if (rest.length > 0) return put(members[first], rest, change)
  const value = change(members[first] as string)
  if (value === DELETE) Reflect.deleteProperty(members, first)
  else members[first] = value
}

function cut(signature: string): string {
  return signature.slice(0, -2)
}

function flipLast(text: string, fromEnd: number): string {
  const at = text.length - fromEnd
  return text.slice(0, at) + (Number.parseInt(text.charAt(at), 16) ^ 1).toString(16) + text.slice(at + 1)
}

function otherV(signature: string): string {
  return `${cut(signature)}${signature.endsWith('1b') ? '1c' : '1b'}`
}

function withS(signature: string, s: bigint): string {
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.slice(-2)}`
}

/** EIP-2098. */
function compact(signature: string): Hex {
  const parity = signature.endsWith('1c') ? 2n ** 255n : 0n
  const s = BigInt(`0x${signature.slice(66, 130)}`) | parity
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}`
}
