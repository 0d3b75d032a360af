/** The facilitator's reasons against its README, and its schemes' words against the rest of it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { commonReasons } from '../../plugins/x402/reasons.ts'
import { exactEip155Reasons } from '../../plugins/x402/schemes/exact-eip155/reasons.ts'

const folder = fileURLToPath(new URL('../../plugins/x402/', import.meta.url))

test('the reasons and their documentation agree, both ways', (t) => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([a-z0-9_]+)` +\| (\d{3}) +\| (.+?) +\|$/gm)].map((row) => row.slice(1))
  const common = Object.entries(commonReasons).map(([code, { status, condition }]) => [code, String(status), condition])
  const ofScheme = Object.entries(exactEip155Reasons).map(([code, condition]) => [code, '200', condition])
  t.deepEqual(rows, [...common, ...ofScheme])
})

/** What only a scheme may speak of. The registry and the settings name the schemes themselves. */
const CHAIN_WORDS =
  /(?<![a-z])(?:evm|viem|wei|gwei|eth|ethereum|solidity|sepolia|abi|calldata)(?![a-z])|(?:eip|erc)-?\d/i
const OF_THE_REGISTRY = /exact-?eip155/gi

function chainWords(source: string): string[] {
  const lines = source.replaceAll(OF_THE_REGISTRY, '').split('\n')
  return lines.filter((line) => CHAIN_WORDS.test(line))
}

test('no word of a chain outside a scheme’s folder', (t) => {
  const files = globSync('**/*.ts', { cwd: folder, exclude: (name) => name === 'exact-eip155' })
  t.true(files.includes('judge.ts') && !files.some((path) => path.includes('exact-eip155')))
  for (const path of files) t.deepEqual(chainWords(readFileSync(join(folder, path), 'utf8')), [], path)
})

test('a word of a chain is caught', (t) => {
  for (const planted of ["import 'viem'", '/** In wei. */', "'invalid_evm_x'", '// EIP-712', 'ERC20', 'base-sepolia']) {
    t.is(chainWords(planted).length, 1, planted)
  }
  t.deepEqual(chainWords("import { exactEip155 } from './exact-eip155/exact-eip155.ts'\nsomething weird\nmethod"), [])
})
