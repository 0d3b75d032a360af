import test from 'ava'
import { readTypedData } from '../../../signer-core/gate/eip712/typed-data.ts'
import { PayloadError } from '../../../signer-core/gate/payload-error.ts'
import { bytesToHex } from '../../../signer-core/protocol/bytes.ts'
import { digest } from '../../support/address-tools.ts'
import { read, sampleTypedData, type TypedDataJson } from '../../support/typed-data.ts'

const digestOf = (data: unknown) => bytesToHex(read(data).digest)

/** The sample with one thing changed. */
function changed(change: (data: TypedDataJson) => void): TypedDataJson {
  const data = sampleTypedData()
  change(data)
  return data
}

test('policies see everything that is signed, in one spelling', (t) => {
  const child = { wallet: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', children: [] }
  t.deepEqual(read(sampleTypedData()).facts, {
    eth: {
      eip_712: {
        primary_type: 'Order',
        domain: {
          name: 'Sample',
          version: '1',
          chain_id: '84532',
          verifying_contract: '0x1111111111111111111111111111111111111111',
          salt: `0x${'ab'.repeat(32)}`,
        },
        message: {
          maker: child,
          takers: [{ ...child, children: [child] }],
          amount: '1000000',
          delta: '-1',
          open: true,
          note: 'hé✓',
          data: '0xdead',
          code: '0x01020304',
          grid: [
            ['1', '2'],
            ['3', '4'],
          ],
        },
      },
    },
  })
})

test('the spelling of numbers and hexadecimal, and the order of members, do not matter', (t) => {
  const expected = digestOf(sampleTypedData())
  const same = [
    changed((data) => (data.domain.chainId = 84532)),
    changed((data) => (data.domain.chainId = '84532')),
    changed((data) => (data.message.amount = 1e6)),
    changed((data) => (data.message.amount = '0xF4240')),
    changed((data) => (data.message.amount = '0001000000')),
    changed((data) => (data.message.delta = '-1')),
    changed((data) => (data.message.data = '0xdeAD')),
    changed((data) => (data.message = Object.fromEntries(Object.entries(data.message).toReversed()))),
    changed((data) => (data.types = Object.fromEntries(Object.entries(data.types).toReversed()))),
    changed((data) => (data.types.Unused = [{ name: 'a', type: 'Order[]' }])),
    Object.fromEntries(Object.entries(sampleTypedData()).toReversed()),
  ]
  for (const [i, data] of same.entries()) t.is(digestOf(data), expected, String(i))
})

test('every change of what is signed changes the digest', (t) => {
  const different = [
    sampleTypedData(),
    changed((data) => (data.domain.chainId = 1)),
    changed((data) => (data.message.amount = '1000001')),
    changed((data) => (data.message.open = false)),
    changed((data) => (data.message.takers = [])),
    changed((data) => (data.types.Party = data.types.Party?.toReversed() ?? [])),
    changed((data) => (data.types.EIP712Domain = data.types.EIP712Domain?.toReversed() ?? [])),
  ]
  t.is(new Set(different.map(digestOf)).size, different.length)
})

const refusals: [why: string, message: string, data: unknown][] = [
  ['no object', 'payload must be a JSON object', []],
  ['a member more', 'typed data must have', { ...sampleTypedData(), extra: 1 }],
  ['a member less', 'typed data must have', { ...sampleTypedData(), domain: undefined }],
  ['types no object', 'types must be an object', changed((data) => (data.types = [] as never))],
  ['a type no array', 'a type must be an array', changed((data) => (data.types.Party = {} as never))],
  ['a domain without its type', 'a domain that is not empty', changed((data) => delete data.types.EIP712Domain)],
  ['domain: member unknown to the type', 'a struct has a member', changed((data) => data.types.EIP712Domain?.pop())],
  ['domain: member missing', 'a struct lacks a member', changed((data) => delete data.domain.salt)],
  ['domain: null', 'a struct must be an object', changed((data) => (data.domain = null as never))],
  [
    'domain: member unknown to EIP-712',
    'EIP712Domain has a member',
    changed((data) => data.types.EIP712Domain?.push({ name: 'owner', type: 'address' })),
  ],
  [
    'domain: array',
    'a member of EIP712Domain must not be',
    changed((data) => (data.types.EIP712Domain = [{ name: 'name', type: 'string[]' }])),
  ],
  ['message: member missing', 'a struct lacks a member', changed((data) => delete data.message.note)],
  ['message: member null', 'a string must be', changed((data) => (data.message.note = null))],
  ['message: member more', 'a struct has a member', changed((data) => (data.message.more = 1))],
  [
    'message: inner member more',
    'a struct has a member',
    changed((data) => (data.message.maker = { ...(data.message.maker as object), x: 1 })),
  ],
  ['message: no object', 'a struct must be an object', changed((data) => (data.message = [] as never))],
  ['primaryType unknown', 'primaryType must be', changed((data) => (data.primaryType = 'Orders'))],
  ['primaryType inherited', 'primaryType must be', changed((data) => (data.primaryType = 'constructor'))],
  ['primaryType no text', 'primaryType must be', changed((data) => (data.primaryType = 1 as never))],
  ['primaryType the domain', 'primaryType must be', changed((data) => (data.primaryType = 'EIP712Domain'))],
  ['primaryType an array', 'primaryType must be', changed((data) => (data.primaryType = 'Party[]'))],
]

test('what the types do not describe completely is refused', (t) => {
  for (const [why, message, data] of refusals) {
    const error = t.throws(() => read(data), { instanceOf: PayloadError }, why)
    t.true(error?.message.startsWith(message), `${why}: ${error?.message}`)
  }
})

test('text that two JSON readers could read differently is refused', (t) => {
  const text = JSON.stringify(sampleTypedData())
  t.notThrows(() => readTypedData(text, digest))
  const broken = [
    text.replace('"amount":"1000000"', '"amount":"1000000","amount":"2000000"'),
    text.replace('"delta":-1', '"delta":9007199254740993'),
    `${text}}`,
    text.slice(0, -1),
    '',
    'null',
    text.replace('Sample', String.raw`\ud800`),
  ]
  for (const each of broken) t.throws(() => readTypedData(each, digest), { instanceOf: PayloadError }, each)
})

test('a member called __proto__ is a member', (t) => {
  const text =
    '{"types":{"A":[{"name":"__proto__","type":"uint8"}]},"primaryType":"A","domain":{},"message":{"__proto__":7}}'
  t.is(JSON.stringify(readTypedData(text, digest).facts.eth).match(/"__proto__":"7"/g)?.length, 1)
  t.throws(() => readTypedData(text.replace('"message":{"__proto__":7}', '"message":{}'), digest), {
    instanceOf: PayloadError,
  })
})

test('structs may refer to each other in circles, but nothing ends that does not end', (t) => {
  const types = { A: [{ name: 'b', type: 'B[]' }], B: [{ name: 'a', type: 'A[]' }] }
  const nested = (depth: number): object => (depth === 0 ? { b: [] } : { b: [{ a: [nested(depth - 1)] }] })
  const data = (depth: number) => ({ types, primaryType: 'A', domain: {}, message: nested(depth) })
  t.notThrows(() => read(data(7)))
  t.throws(() => read(data(8)), { message: 'payload must be a JSON object' })
  const direct = { types: { A: [{ name: 'a', type: 'A' }] }, primaryType: 'A', domain: {}, message: { a: {} } }
  t.throws(() => read(direct), { message: 'a struct lacks a member of its type' })
})
