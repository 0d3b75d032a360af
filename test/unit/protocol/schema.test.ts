import test from 'ava'
import { integer, list, object, oneOf, optional, parse, pattern, text } from '../../../signer-core/protocol/schema.ts'

const schema = object({
  name: text(3),
  note: optional(text(3, { emptyAllowed: true })),
  color: oneOf(['red', 'blue']),
  items: list(object({ count: integer(1, 2) }), 2, { countMin: 1 }),
  code: pattern(/^[a-z]$/, 'one letter'),
})
const good = { name: 'abc', color: 'red', items: [{ count: 1 }], code: 'x' }

test('a fitting value is read, unknown members are ignored, null counts as absent', (t) => {
  const read = parse(schema, { ...good, note: null, more: 1 })
  t.deepEqual(read, { ok: true, value: { ...good, note: undefined } })
})

test('every fault is told with its path', (t) => {
  const read = parse(schema, {
    name: 'abcd',
    note: 'abcd',
    color: 'green',
    items: [{ count: 1 }, { count: 3 }],
    code: 'xy',
  })
  t.deepEqual(read, {
    ok: false,
    violations: [
      { field: 'name', description: 'name too long' },
      { field: 'note', description: 'note too long' },
      { field: 'color', description: 'invalid color' },
      { field: 'items.1.count', description: 'count must be a whole number from 1 to 2' },
      { field: 'code', description: 'code must be one letter' },
    ],
  })
})

const violationOf = (change: object) => {
  const read = parse(schema, { ...good, ...change })
  return read.ok ? undefined : read.violations[0]
}

test('absent, empty, of the wrong type, too few, too many', (t) => {
  t.is(violationOf({ name: undefined })?.description, 'name required')
  t.is(violationOf({ name: null })?.description, 'name required')
  t.is(violationOf({ name: '' })?.description, 'name required')
  t.is(violationOf({ name: 1 })?.description, 'name must be a string')
  t.is(violationOf({ note: '' }), undefined)
  t.is(violationOf({ items: [] })?.description, 'items required')
  t.is(violationOf({ items: [{ count: 1 }, { count: 1 }, { count: 1 }] })?.description, 'at most 2 items')
  t.is(violationOf({ items: {} })?.description, 'items must be an array')
  t.is(violationOf({ items: [1] })?.field, 'items.0')
  t.is(violationOf({ items: [{ count: 1.5 }] })?.field, 'items.0.count')
  t.is(parse(schema, []).ok, false)
  t.is(parse(schema, null).ok, false)
})

test('an item of a list is called by the list and its place, a member by its words', (t) => {
  const nested = object({ tagNames: list(list(pattern(/^x$/, 'an x'), 2), 2), userName: text(1) })
  const read = parse(nested, { tagNames: [['x', 'y'], 1], userName: 1 }, 'parameters')
  const described = read.ok ? [] : read.violations.map(({ description }) => description)
  t.deepEqual(described, ['tagNames.0.1 must be an x', 'tagNames.1 must be an array', 'user name must be a string'])
})

test('members that objects inherit do not count as there', (t) => {
  t.false(parse(object({ constructor: text(9), toString: text(9) }), {}).ok)
})
