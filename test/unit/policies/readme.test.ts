/** The README for people who write policies says what the code does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { keywords } from '../../../policies/facts/schema.ts'
import { policyFaults } from '../../../policies/policy.ts'
import {
  DECISION_STEPS_MAX,
  EVALUATION_STEPS_MAX,
  EXPRESSION_DEPTH_MAX,
  EXPRESSION_LENGTH_MAX,
} from '../../../policies/language/limits.ts'
import type { Type } from '../../../policies/language/types.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../policies/README.md'), 'utf8')

test('its three policies are accepted', (t) => {
  const policies = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text as string))
  t.is(policies.length, 3)
  for (const policy of policies) t.deepEqual(policyFaults(policy), [], policy.policyName)
})

/** Each struct that a keyword stands for, by the path that the tables give it. */
function structs(type: Type, path: string): [string, string[]][] {
  const of = type.kind === 'list' ? type.item : type
  if (of.kind !== 'struct') return []
  const inner = Object.entries(of.fields).flatMap(([name, member]) => structs(member, `${path}.${name}`))
  return [[path, Object.keys(of.fields)], ...inner]
}

test('its tables name every keyword and field, and no other', (t) => {
  const section = readme.split('## What policies may speak of')[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const { condition, consensus } = keywords
  for (const type of [condition, consensus]) {
    for (const [name, member] of Object.entries(type.fields)) {
      for (const [path, fields] of structs(member, name)) {
        // A chain's name groups; small structs stand in the row of the one that has them.
        if (['eth', 'solana', 'bitcoin', 'tron'].includes(path)) continue
        const names = [path, path.slice(0, path.lastIndexOf('.')), path.replace('.instructions.', '.')]
        const of = rows.filter((line) => names.some((each) => line.split('|')[1]?.includes(`\`${each}\``)))
        for (const field of fields)
          t.true(
            of.some((line) => line.includes(`\`${field}\``)),
            `${path}.${field}`,
          )
      }
    }
  }
  const written = rows.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  const known = [condition, consensus].flatMap((type) =>
    Object.entries(type.fields).flatMap(([name, member]) => structs(member, name).map(([path]) => path)),
  )
  t.true(written.length > 15)
  t.deepEqual(
    written.filter((name) => !known.includes(name ?? '')),
    [],
  )
})

test('its limits are those of the code', (t) => {
  const row = (name: string) =>
    readme.split('\n').find((line) => line.replaceAll(/ +/g, ' ').startsWith(`| ${name} |`)) ?? ''
  t.true(row('length of an expression').includes(String(EXPRESSION_LENGTH_MAX)))
  t.true(row('nesting').includes(String(EXPRESSION_DEPTH_MAX)))
  t.true(row('steps of an expression').includes(EVALUATION_STEPS_MAX.toLocaleString('en')))
  t.true(row('steps of a decision').includes(DECISION_STEPS_MAX.toLocaleString('en')))
})
