/** The facilitator's policy from one document: KEYSTEAD_X402_POLICY_FILE. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { ConfigError, loadConfig } from '../../../gateway/config.ts'
import { policyOf } from '../../../plugins/x402/policy/policy.ts'
import { settingsSchema, type Settings } from '../../../plugins/x402/settings.ts'

const example = join(import.meta.dirname, '../../../plugins/x402/policy/example.yaml')
const PAYEES = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC']

function read(path: string, environment: Record<string, string> = {}): Settings {
  return loadConfig({ KEYSTEAD_X402_POLICY_FILE: path, ...environment }).plugins['x402'] as Settings
}

function fileOf(t: ExecutionContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ks-policy-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.yaml')
  writeFileSync(path, text)
  return path
}

test('the example: all that the operator allows, at the limits of the specification', (t) => {
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  t.deepEqual(read(example), { ...settingsSchema.parse({}), policyEnabled: true, asset, payees: PAYEES })
})

test('the environment wins, setting by setting', (t) => {
  const { amountMax, amountMin } = read(example, { KEYSTEAD_X402_AMOUNT_MAX: '20000' })
  t.deepEqual([amountMin, amountMax], [10_000n, 20_000n])
  t.true(read(example).policyEnabled)
  t.is(loadConfig({}).plugins['x402']?.['policyEnabled'], false, 'fail-closed without a document')
})

test('JSON is read, and lists may be empty', (t) => {
  const json = JSON.stringify({ policyEnabled: 'true', relayerKeys: [], amountMin: 7 })
  t.like(read(fileOf(t, json)), { policyEnabled: true, relayerKeys: [], amountMin: 7n })
})

test('payees left out are anybody, and nothing else is: nobody, or what is no address, refuses to start', (t) => {
  t.is(policyOf(read(fileOf(t, 'policyEnabled: true\n'))).payees, undefined)
  t.deepEqual(policyOf(read(example)).payees, new Set(PAYEES.map((payee) => payee.toLowerCase())))
  const refused = { instanceOf: ConfigError, message: /KEYSTEAD_X402_PAYEES: must be addresses; leave it out/ }
  for (const payees of [
    '[]',
    '',
    '~',
    'null',
    '["", " "]',
    `[${PAYEES[0]}, ""]`,
    `[${PAYEES[0]}0]`,
    '[0x12]',
    '[bob]',
  ]) {
    t.throws(() => read(fileOf(t, `payees: ${payees}\n`)), refused, payees)
  }
  for (const payees of ['', ' ', ',', `${PAYEES[0]},`, 'bob']) {
    t.throws(() => read(example, { KEYSTEAD_X402_PAYEES: payees }), refused, payees)
  }
  t.deepEqual(read(example, { KEYSTEAD_X402_PAYEES: ` ${PAYEES[1]} , ${PAYEES[0]}` }).payees, PAYEES.toReversed())
})

const mistakes: Record<string, [text: string, named: RegExp]> = {
  'an unknown member': ['policyEnabled: true\namountMaxx: 5\n', /unknown: KEYSTEAD_X402_AMOUNT_MAXX/],
  'a bad amount': ['amountMax: 1.5\n', /KEYSTEAD_X402_AMOUNT_MAX: /],
  'a hexadecimal amount': ['amountMax: 0x10\n', /KEYSTEAD_X402_AMOUNT_MAX: /],
  'a bad address': ['asset: 0x036C\n', /KEYSTEAD_X402_ASSET: /],
  'neither yes nor no': ['policyEnabled: yes\n', /KEYSTEAD_X402_POLICY_ENABLED: /],
  'a network by too long a name': [
    `networkNames: [base, ${'n'.repeat(65)}]\n`,
    /KEYSTEAD_X402_NETWORK_NAMES: must be names/,
  ],
  'a list for a number': ['amountMin: [1, 2]\n', /KEYSTEAD_X402_AMOUNT_MIN: /],
  'a list of lists': ['payees: [[a]]\n', /KEYSTEAD_X402_PAYEES: /],
  'two payees in one item': ['payees: ["a,b"]\n', /KEYSTEAD_X402_PAYEES: /],
  'a member twice': ['amountMin: 1\namountMin: 2\n', /KEYSTEAD_X402_POLICY_FILE: /],
  'a list': ['- policyEnabled\n', /KEYSTEAD_X402_POLICY_FILE: /],
  nothing: ['', /KEYSTEAD_X402_POLICY_FILE: /],
  'another document': ['x402:\n  policyEnabled: true\n', /unknown: KEYSTEAD_X402_X402/],
}

for (const [what, [text, named]] of Object.entries(mistakes)) {
  test(`${what} refuses to start`, (t) => {
    t.throws(() => read(fileOf(t, text)), { instanceOf: ConfigError, message: named })
  })
}

const LIMITS = ['verifyPerIp', 'settlePerIp', 'settlePerPayer', 'settlePerFacilitator'] as const

test('a limit that lets nobody through refuses to start; one request a minute is a limit', (t) => {
  const all = (value: number) => LIMITS.map((name) => `${name}: ${value}\n`).join('')
  const error = t.throws(() => read(fileOf(t, all(0))), { instanceOf: ConfigError })
  for (const name of ['VERIFY_PER_IP', 'SETTLE_PER_IP', 'SETTLE_PER_PAYER', 'SETTLE_PER_FACILITATOR']) {
    t.true(error?.message.includes(`KEYSTEAD_X402_${name}: must be at least 1`), name)
  }
  t.like(read(fileOf(t, all(1))), Object.fromEntries(LIMITS.map((name) => [name, 1])))
  t.like(read(fileOf(t, 'trustedProxies: 0\nsettleWaitMs: 0\n')), { trustedProxies: 0, settleWaitMs: 0 })
})

test('a file that is not there refuses to start, and every mistake is named', (t) => {
  t.throws(() => read('/no/such/file'), { instanceOf: ConfigError, message: /KEYSTEAD_X402_POLICY_FILE: / })
  const error = t.throws(() => read(fileOf(t, 'amountMin: SECRET\nsmell: 1\n')), { instanceOf: ConfigError })
  t.regex(error?.message ?? '', /KEYSTEAD_X402_AMOUNT_MIN/)
  t.regex(error?.message ?? '', /KEYSTEAD_X402_SMELL/)
  t.false(error?.message.includes('SECRET'))
})
