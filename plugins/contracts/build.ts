/**
 * `npm run build`, second half: compiles the contracts beside this file into the cache, one JSON `{abi, bytecode,
 * runtimeBytecode}` for each. Nothing made is committed; nothing is compiled again while its sources are the same.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** The part of solc's standard JSON output that is read. */
interface Compiled {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, Contract>>
}

interface Contract {
  abi: unknown[]
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}

const require = createRequire(import.meta.url)
const cachePath = join(import.meta.dirname, '../../node_modules/.cache/keystead/contracts')
const digestPath = join(cachePath, 'inputs.sha256')

const settings = {
  optimizer: { enabled: true, runs: 10_000 },
  // The newest that every chain we know of runs.
  evmVersion: 'prague',
  // Without a digest of the metadata the bytecode depends on the sources and the compiler alone.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
}

const paths = globSync(join(import.meta.dirname, '*.sol')).toSorted()
const sources = Object.fromEntries(paths.map((path) => [basename(path), { content: readFileSync(path, 'utf8') }]))
const input = JSON.stringify({ language: 'Solidity', sources, settings })
const { version } = require('solc/package.json') as { version: string }
const digest = createHash('sha256').update(version).update(input).digest('hex')

if (existsSync(digestPath) && readFileSync(digestPath, 'utf8') === digest) console.log('build: contracts up to date')
else compile()

function compile(): void {
  const startedMs = performance.now()
  // Loaded only when needed: it is 9 MB.
  const solc = require('solc') as { compile(input: string): string }
  const { errors = [], contracts } = JSON.parse(solc.compile(input)) as Compiled
  if (errors.length > 0) throw new Error(errors.map((each) => each.formattedMessage).join('\n'))
  mkdirSync(cachePath, { recursive: true })
  for (const [name, contract] of Object.values(contracts).flatMap((file) => Object.entries(file))) {
    const { abi, evm } = contract
    const made = { abi, bytecode: `0x${evm.bytecode.object}`, runtimeBytecode: `0x${evm.deployedBytecode.object}` }
    write(join(cachePath, `${name}.json`), `${JSON.stringify(made)}\n`)
  }
  write(digestPath, digest)
  console.log(`build: contracts ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
}

/** Whole or not at all. */
function write(path: string, text: string): void {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
