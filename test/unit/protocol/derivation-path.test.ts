import test from 'ava'
import { parsePath, pathFitsCurve } from '../../../signer-core/protocol/derivation-path.ts'

const HARDENED = 0x8000_0000

test('levels are read, hardened ones with bit 31 set', (t) => {
  t.deepEqual(parsePath("m/44'/60'/0'/0/7"), [44 + HARDENED, 60 + HARDENED, HARDENED, 0, 7])
  t.deepEqual(parsePath('m/2147483647'), [HARDENED - 1])
  t.deepEqual(parsePath("m/2147483647'"), [2 * HARDENED - 1])
  t.deepEqual(parsePath('m'), [])
  t.is(parsePath(`m${"/2147483647'".repeat(10)}`)?.length, 10)
})

test('every other spelling is no path', (t) => {
  const bad = [
    '',
    '/0',
    'M/0',
    'm/',
    'm//0',
    'm/0/',
    'm/00',
    'm/01',
    'm/-1',
    'm/+1',
    'm/1.0',
    'm/1e1',
    'm/0x1',
    'm/ 1',
    'm/1 ',
    'm/1\n',
    "m/'",
    "m/1''",
    'm/1h',
    'm/1H',
    'm/1’',
    'm/٣',
    'm/2147483648',
    "m/2147483648'",
    'm/9999999999',
    'm/99999999999',
    `m${'/0'.repeat(11)}`,
    `m${'/0'.repeat(100_000)}`,
  ]
  for (const path of bad) t.is(parsePath(path), undefined, JSON.stringify(path.slice(0, 40)))
})

test('ed25519 has hardened levels only', (t) => {
  t.true(pathFitsCurve(parsePath("m/44'/501'/0'/0'") as number[], 'CURVE_ED25519'))
  t.false(pathFitsCurve(parsePath("m/44'/501'/0'/0") as number[], 'CURVE_ED25519'))
  t.true(pathFitsCurve(parsePath('m/0') as number[], 'CURVE_P256'))
})
