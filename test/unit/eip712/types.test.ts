import test from 'ava'
import { TYPE_TEXT_MAX, VALUES_MAX } from '../../../signer-core/gate/eip712/hash-struct.ts'
import { DIMENSIONS_MAX, TYPE_LENGTH_MAX } from '../../../signer-core/gate/eip712/types.ts'
import { PayloadError } from '../../../signer-core/gate/payload-error.ts'
import { read, single, type TypedDataJson } from '../../support/typed-data.ts'

const address = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const accepted: [type: string, values: unknown[]][] = [
  ['uint8', [0, 255, '255', '0xff', '0x00ff', -0]],
  ['uint256', [(2n ** 256n - 1n).toString(), `0x${'f'.repeat(64)}`, Number.MAX_SAFE_INTEGER]],
  ['int8', [-128, 127, '-128', '0x7f']],
  ['int256', [(2n ** 255n - 1n).toString(), (-(2n ** 255n)).toString()]],
  ['bool', [true, false]],
  ['string', ['', '€', '0x', '😀']],
  ['bytes', ['0x', '0xAb']],
  ['bytes1', ['0x00']],
  ['bytes32', [`0x${'Ab'.repeat(32)}`]],
  ['address', [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]],
  ['uint8[]', [[], [1], [1, 2, 3]]],
  ['uint8[2]', [[1, 2]]],
  ['uint8[2][]', [[], [[1, 2]]]],
  ['uint8[][2]', [[[], [1]]]],
]
const refused: [type: string, values: unknown[]][] = [
  [
    'uint8',
    [256, -1, '256', '-1', '0x100', 1.5, '', ' 1', '1 ', '+1', '1e2', '1.0', '0x', '0X1', '-0x1', '1n', true, null],
  ],
  ['uint8', [[], {}, '٣', '0x1g', '1'.repeat(79)]],
  ['uint256', [(2n ** 256n).toString(), `0x${'0'.repeat(65)}`]],
  ['int8', [128, -129, '0x80', '0xff']],
  ['int256', [(2n ** 255n).toString(), (-(2n ** 255n) - 1n).toString()]],
  ['bool', ['true', 1, 0, null, '']],
  ['string', [1, null, true, [], {}]],
  ['bytes', ['', 'ab', '0xa', '0xgg', 1, [1], null]],
  ['bytes1', ['0x', '0x0000', '00', 0]],
  ['bytes32', [`0x${'ab'.repeat(31)}`, `0x${'ab'.repeat(33)}`]],
  ['address', [address.slice(2), `${address}00`, address.slice(0, -2), 0, '0x', 'vitalik.eth']],
  ['uint8[]', [{}, '', 1, null, [256], [[1]]]],
  ['uint8[2]', [[], [1], [1, 2, 3]]],
  ['uint8[2][]', [[1, 2], [[1]]]],
  ['B', [[], null, 'x', 1]],
]

test('values of every type at the edge of their ranges', (t) => {
  const more = { B: [] }
  for (const [type, values] of accepted) {
    for (const value of values) t.notThrows(() => read(single(type, value)), `${type} ${JSON.stringify(value)}`)
  }
  for (const [type, values] of refused) {
    for (const value of values) {
      const why = `${type} ${JSON.stringify(value)}`
      t.throws(() => read(single(type, value, more)), { instanceOf: PayloadError }, why)
    }
  }
})

const validTypes = [...[8, 16, 128, 248, 256].flatMap((bits) => [`uint${bits}`, `int${bits}`]), 'bytes1', 'bytes32']
const invalidTypes = [
  ...['uint', 'int', 'uint7', 'uint264', 'uint08', 'int0', 'bytes0', 'bytes33', 'bytes01', 'fixed', 'fixed128x18'],
  ...['function', 'byte', 'String', 'Missing', 'constructor', '__proto__', 'toString', '', ' ', 'uint8 ', ' uint8'],
  ...[
    'uint8[0]',
    'uint8[01]',
    'uint8[-1]',
    'uint8[',
    'uint8]',
    'uint8[]a',
    '[]',
    'uint8[ ]',
    'uint8[1.5]',
    'uint8[[]]',
  ],
  ...['B)', 'B,uint8', 'A(', 'é', 'a-b', 'uint8[9999999999]', 1, null, ['uint8'], 'B '.repeat(200)],
]

test('types of EIP-712 and no others', (t) => {
  for (const type of validTypes) t.notThrows(() => read(single(`${type}[]`, [])), type)
  for (const type of invalidTypes) {
    t.throws(() => read(single(type as string, [], { B: [] })), { instanceOf: PayloadError }, String(type))
  }
})

test('names are identifiers, each member has its own', (t) => {
  const withMember = (...names: unknown[]) => ({
    types: { A: names.map((name) => ({ name, type: 'uint8[]' })) },
    primaryType: 'A',
    domain: {},
    message: Object.fromEntries(names.map((name) => [String(name), []])),
  })
  for (const name of ['a', '_', '$', 'a1', 'constructor', 'toString']) t.notThrows(() => read(withMember(name)), name)
  for (const name of ['', '1a', 'a b', 'a,uint8 b', 'a)', 'a:b', 'é', 1, null, 'a'.repeat(TYPE_LENGTH_MAX + 1)]) {
    t.throws(() => read(withMember(name)), { instanceOf: PayloadError }, String(name))
  }
  t.throws(() => read(withMember('a', 'a')), { message: 'a type has two members of one name' })
  const extra = {
    types: { A: [{ name: 'a', type: 'bool', x: 1 }] },
    primaryType: 'A',
    domain: {},
    message: { a: true },
  }
  t.throws(() => read(extra), { message: 'a member of a type must have a name and a type, nothing else' })
})

test('a struct may have any name that is not a type already', (t) => {
  const named = (name: string) => ({ types: { [name]: [] }, primaryType: name, domain: {}, message: {} })
  const colon = 'HyperliquidTransaction:UsdSend'
  for (const name of ['A', '_a', '$', 'uintish', 'bytesLike', 'Integer', colon])
    t.notThrows(() => read(named(name)), name)
  const taken = ['uint8', 'uint', 'int999', 'bytes', 'bytes4', 'address', 'bool', 'string', 'function', 'fixed']
  for (const name of [...taken, '', 'A[]', '1A', 'A B', ':A', 'A()']) {
    t.throws(() => read(named(name)), { instanceOf: PayloadError }, name)
  }
})

test('limits hold at their edges', (t) => {
  const values = (count: number) => single('uint8[]', Array(count - 1).fill(0))
  t.notThrows(() => read(values(VALUES_MAX)))
  t.throws(() => read(values(VALUES_MAX + 1)), { message: 'typed data has too many values' })

  const dimensions = (count: number) => single(`uint8${'[]'.repeat(count)}`, [])
  t.notThrows(() => read(dimensions(DIMENSIONS_MAX)))
  t.throws(() => read(dimensions(DIMENSIONS_MAX + 1)), { message: 'an array has too many dimensions' })

  const named = (length: number) => {
    const name = 'A'.repeat(length)
    return { types: { [name]: [] }, primaryType: name, domain: {}, message: {} }
  }
  t.notThrows(() => read(named(TYPE_LENGTH_MAX)))
  t.throws(() => read(named(TYPE_LENGTH_MAX + 1)), { message: 'a type has an invalid name' })

  t.notThrows(() => read(typeOfLetters(TYPE_TEXT_MAX)))
  t.throws(() => read(typeOfLetters(TYPE_TEXT_MAX + 1)), { message: 'the types of typed data are too long' })
})

/** A type whose `encodeType` has this many letters together with `EIP712Domain()`. */
function typeOfLetters(letters: number): TypedDataJson {
  const left = letters - 'EIP712Domain()'.length - 'A()'.length
  const bools = Array.from({ length: Math.floor(left / 100) - 1 }, (_, i) => `m${i}`.padEnd(100 - 'bool ,'.length, '_'))
  const names = [...bools, 'z'.repeat(left - 100 * bools.length - 'bool '.length)]
  return {
    types: { A: names.map((name) => ({ name, type: 'bool' })) },
    primaryType: 'A',
    domain: {},
    message: Object.fromEntries(names.map((name) => [name, true])),
  }
}
