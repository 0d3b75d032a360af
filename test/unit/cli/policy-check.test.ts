import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { readPolicies } from '../../../cli/policy-document.ts'
import { examplePolicies, examplesPath } from '../../support/policy-examples.ts'
import { keystead, newFolder } from '../../support/keystead.ts'

const example = join(examplesPath, 'two-of-three.yaml')

test('documents without faults end with 0, and --json gives what createPolicies takes', (t) => {
  const { code, stdout, stderr } = keystead(['policy', 'check', example, join(examplesPath, 'x402-key.yaml')])
  t.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '5 policies, no faults\n', stderr: '' })
  const json = keystead(['policy', 'check', '--json', example])
  t.deepEqual(JSON.parse(json.stdout), { policies: examplePolicies('two-of-three') })
})

const parametrised = [
  'parameters:',
  '  chain: 8453',
  '  token: "0xaa"',
  '  relayers: [a, b]',
  'policies:',
  '  - policyName: p',
  '    effect: EFFECT_ALLOW',
  '    condition: eth.tx.chain_id == ${chain} && eth.tx.to == ${token} && eth.tx.from in ${relayers}',
  '    notes: ""',
].join('\n')
const set = (values: string[]) => values.flatMap((value) => ['--set', value])

test('parameters are written as numbers, texts and lists', (t) => {
  t.is(keystead(['policy', 'check', '-'], { input: parametrised }).stdout, '1 policy, no faults\n')
  const values = set(['chain=1', 'token=0xBB', 'relayers=c,d'])
  const { stdout, stderr } = keystead(['policy', 'check', '--json', '-', ...values], { input: parametrised })
  const { policies } = JSON.parse(stdout) as { policies: { condition: string }[] }
  t.is(stderr, '')
  t.is(policies[0]?.condition, "eth.tx.chain_id == 1 && eth.tx.to == '0xBB' && eth.tx.from in ['c', 'd']")
})

test('with --json every parameter is to be set, and a value stays within its quotes', (t) => {
  const { code, stdout, stderr } = keystead(['policy', 'check', '--json', '-'], { input: parametrised })
  t.deepEqual([code, stdout, stderr.split('\n').length], [1, '', 4])
  t.regex(stderr, /^-:2:10: the parameter chain is not set\n/)
  t.is(keystead(['policy', 'check', '--set', 'chain', '-'], { input: parametrised }).code, 2)
  const all = { chain: '1', token: '0xBB', relayers: 'c' }
  const messages = (values: Record<string, string>) =>
    readPolicies(parametrised, values).faults.map((one) => one.message)
  t.deepEqual(messages(all), [])
  t.deepEqual(messages({ ...all, tokem: '1' }), ['the document has no parameter tokem'])
  const bad = {
    chain: ['one', '-1', '01', '', '9'.repeat(79)],
    token: ["a' || '1' == '1", '', '${chain}'],
    relayers: ['c,,d', ''],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      t.deepEqual(
        messages({ ...all, [name]: value }),
        [`the parameter ${name} is set to what is not of its kind`],
        value,
      )
    }
  }
})

test('a place without a parameter, and an example that is none, are faults', (t) => {
  const messages = (text: string) => readPolicies(text).faults.map((one) => `${one.line}:${one.column}: ${one.message}`)
  t.deepEqual(messages(parametrised.replace('token:', 'tokem:')), [
    '8:16: condition: the document has no parameter token',
  ])
  t.regex(messages(parametrised.replace('[a, b]', '[]'))[0] as string, /^4:13: relayers: /)
  t.regex(messages(parametrised.replace('8453', '{ a: 1 }'))[0] as string, /^2:10: chain: must be a whole number/)
})

test('one policy, a list and stdin are read, as JSON and as YAML', (t) => {
  const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', condition: "activity.kind == 'SIGN_TRANSACTION'" }
  for (const input of [JSON.stringify(policy), JSON.stringify([policy]), 'policyName: p\neffect: EFFECT_DENY\n']) {
    t.is(keystead(['policy', 'check', '-'], { input }).stdout, '1 policy, no faults\n', input)
  }
})

/** What stderr says of a document, without the name of the file. */
function faultsOf(t: ExecutionContext, text: string): string[] {
  const file = join(newFolder(t), 'policy.yaml')
  writeFileSync(file, text)
  const { code, stdout, stderr } = keystead(['policy', 'check', file])
  t.is(code, 1, stderr)
  t.is(stdout, '')
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(`${file}:`, ''))
}

test('faults name the place in the file and in the expression', (t) => {
  const document = [
    'policies:',
    '  - policyName: p',
    '    effect: EFFECT_ALLOW',
    "    consensus: approvers.any(user, user.name == 'x')",
    '    condition: |-',
    "      activity.kind == 'SIGN_TRANSACTION'",
    '      && eth.tx.to == 5',
    '    notes: ""',
  ].join('\n')
  const faults = faultsOf(t, document)
  t.is(faults.length, 2)
  t.regex(faults[0] as string, /^5:16: condition, line 2, column 14: /)
  t.regex(faults[1] as string, /^4:16: consensus, line 1, column \d+: /)
  const [json] = faultsOf(t, '{ "policyName": "p", "effect": "EFFECT_ALLOW",\n "condition": "1 == " }')
  t.regex(json as string, /^2:16: condition, line 1, column \d+: /)
})

test('what is misspelt, missing or of a wrong type is a fault and not left out', (t) => {
  const base = 'policyName: p\neffect: EFFECT_ALLOW\n'
  t.regex(faultsOf(t, `${base}conditon: "1 == 1"\n`)[0] as string, /^3:12: conditon is no member of a policy /)
  t.regex(faultsOf(t, 'policyName: p\n')[0] as string, /effect: /)
  t.regex(faultsOf(t, 'policyName: p\neffect: EFFECT_MAYBE\n')[0] as string, /^2:9: effect: /)
  t.regex(faultsOf(t, `${base}condition: true\n`)[0] as string, /^3:12: condition: /)
  t.regex(faultsOf(t, `${base}effect: EFFECT_DENY\n`)[0] as string, /^3:1: /)
  t.regex(faultsOf(t, '- policyName: p\n  effect: EFFECT_ALLOW\n- 5\n')[0] as string, /^3:3: the policy: /)
  for (const nothing of ['', '[]', 'policies: []', '5', 'policies: 5', 'policies:']) {
    t.regex(faultsOf(t, nothing)[0] as string, /^1:1: there is no policy/, nothing)
  }
})

test('a file that is not there, and a wrong call', (t) => {
  const missing = keystead(['policy', 'check', 'nowhere.yaml'])
  t.deepEqual([missing.code, missing.stderr], [1, 'keystead: nowhere.yaml cannot be read (ENOENT)\n'])
  t.is(keystead(['policy', 'check']).code, 2)
  t.is(keystead(['policy', 'check', example, '--jso']).code, 2)
  t.is(keystead(['policy', 'judge']).code, 2)
})
