/** The fast engine as a file: what it can reach, that its size is fixed, and that it trusts nobody's arguments. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { componentWit } from '@bytecodealliance/jco'
import test from 'ava'
import { transpile } from '../../signer-core/build/transpile.ts'
import { builtEngine, enginePath, openerOf, type OpenEngine } from '../support/engines.ts'

const runOrSkip = existsSync(enginePath('fast')) ? test : test.skip
const enginePathC = join(import.meta.dirname, '../../signer-core/engine-c')
const noEntropy = (length: number) => new Uint8Array(length).fill(1)
const ENGINE = 'keystead:engine/engine@0.1.0'
const VAULT = 'keystead:engine/vault@0.1.0'

let coreModule: WebAssembly.Module | undefined
test.before(async () => {
  if (!existsSync(enginePath('fast'))) return
  const scratch = mkdtempSync(join(tmpdir(), 'ks-engine-'))
  const files = await transpile(readFileSync(enginePath('fast')), join(scratch, 'engine.wasm'))
  rmSync(scratch, { recursive: true })
  coreModule = new WebAssembly.Module(Uint8Array.from(files.get('signer.core.wasm') as Uint8Array))
})

/** The core module without the component around it, to be called as no component would. */
function coreInstance(fill = noEntropy) {
  type Call = (...values: number[]) => number
  // The import's answer is put where a component would put it.
  const imports = {
    'keystead:engine/entropy@0.1.0': {
      fill(length: number, result: number) {
        const bytes = fill(length)
        const at = realloc(0, 0, 1, bytes.length)
        new Uint8Array(memory.buffer).set(bytes, at)
        new DataView(memory.buffer).setUint32(result, at, true)
        new DataView(memory.buffer).setUint32(result + 4, bytes.length, true)
      },
    },
  }
  const { exports } = new WebAssembly.Instance(coreModule as WebAssembly.Module, imports)
  const memory = exports['memory'] as WebAssembly.Memory & { grow(pages: number): number }
  const realloc = exports['cabi_realloc'] as Call
  const call = (name: string) => exports[name] as Call
  return { memory, realloc, call, names: Object.keys(exports) }
}

const TRAP = { instanceOf: WebAssembly.RuntimeError }

runOrSkip('it imports entropy and nothing else, and is the recorded file', async (t) => {
  const wit = await componentWit(readFileSync(enginePath('fast')))
  t.deepEqual(
    [...wit.matchAll(/^ {2}import (.*);$/gm)].map((each) => each[1]),
    ['keystead:engine/entropy@0.1.0'],
  )
  t.deepEqual(
    [...wit.matchAll(/^ {2}export (.*);$/gm)].map((each) => each[1]),
    [VAULT, ENGINE],
  )
  const { sha256 } = JSON.parse(readFileSync(join(enginePathC, 'digest.json'), 'utf8')) as { sha256: string }
  t.is(
    createHash('sha256')
      .update(readFileSync(enginePath('fast')))
      .digest('hex'),
    sha256,
  )
})

runOrSkip('its memory is as large as it will ever be', (t) => {
  const { memory } = coreInstance()
  t.is(memory.buffer.byteLength, 96 * 65_536)
  t.throws(() => memory.grow(1), { instanceOf: RangeError })
})

runOrSkip('four megabytes are digested, what does not fit in the arena ends the instance', async (t) => {
  const open = (await builtEngine('fast')) as OpenEngine
  const { engine } = open(noEntropy)
  const long = new Uint8Array(4 * 1024 * 1024).fill(3)
  const expected = createHash('sha256').update(long).digest()
  t.deepEqual(Buffer.from(engine.digest('sha256', long)), expected)
  t.deepEqual(Buffer.from(engine.digest('sha256', long)), expected, 'the arena is free again')
  t.throws(() => open(noEntropy).engine.digest('sha256', new Uint8Array(4.5 * 1024 * 1024)), { any: true })
})

runOrSkip('arguments that no component would make end the instance', async (t) => {
  const digest = `${ENGINE}#digest`
  const good = coreInstance()
  const at = good.realloc(0, 0, 1, 3)
  t.notThrows(() => good.call(digest)(5, at, 3))
  const bad: Record<string, (core: typeof good) => unknown> = {
    'an enum out of range': ({ call, realloc }) => call(digest)(6, realloc(0, 0, 1, 3), 3),
    'an enum with high bits': ({ call, realloc }) => call(digest)(0x100, realloc(0, 0, 1, 3), 3),
    'a list outside of the arena': ({ call }) => call(digest)(0, 16, 3),
    'a list beyond what was allocated': ({ call, realloc }) => call(digest)(0, realloc(0, 0, 1, 3), 4),
    'a list around the end of memory': ({ call, realloc }) => call(digest)(0, realloc(0, 0, 1, 3), 0xffff_ffff),
    'a path whose bytes overflow': ({ call, realloc }) =>
      call(`${ENGINE}#derive`)(
        ...[1, 2, 3, 4].map(() => realloc(0, 0, 1, 0)),
        0,
        realloc(0, 0, 4, 4),
        0x4000_0001,
        0,
        0,
      ),
    'a reallocation': ({ realloc }) => realloc(realloc(0, 0, 1, 3), 3, 1, 6),
    'an alignment of three': ({ realloc }) => realloc(0, 0, 3, 3),
    'an alignment of zero': ({ realloc }) => realloc(0, 0, 0, 3),
    'an alignment of sixteen': ({ realloc }) => realloc(0, 0, 16, 3),
    'an allocation of all memory': ({ realloc }) => realloc(0, 0, 1, 0xffff_ffff),
  }
  for (const [name, work] of Object.entries(bad)) t.throws(() => work(coreInstance()), TRAP, name)
})

runOrSkip('what a call leaves in the arena and on the stack is gone after its post-return', async (t) => {
  const { memory, realloc, call, names } = coreInstance()
  const text = Buffer.from('a text that is easy to find again')
  const at = realloc(0, 0, 1, text.length)
  new Uint8Array(memory.buffer).set(text, at)
  const result = call(`${ENGINE}#digest`)(0, at, text.length)
  t.true(Buffer.from(memory.buffer).includes(text))
  call(`cabi_post_${ENGINE}#digest`)(result)
  t.false(Buffer.from(memory.buffer).includes(text))
  // Every function that returns something cleans up after itself.
  const functions = names.filter(
    (name) => name.includes('#') && !name.startsWith('cabi_post_') && !name.endsWith('#wipe'),
  )
  t.is(functions.length, 16)
  for (const name of functions) t.true(names.includes(`cabi_post_${name}`), name)
})

runOrSkip('entropy of a wrong length ends the instance', async (t) => {
  const core = coreInstance((length) => new Uint8Array(length - 1))
  t.throws(() => core.call(`${VAULT}#load`)(core.realloc(0, 0, 1, 32), 32), TRAP)
})

/** Known answers as they stand in self-test.c, one of each kind. */
const answers = {
  sha256: 'ba7816bf8f01cfea',
  sha512: 'ddaf35a193617aba',
  keccak256: '4e03657aea45a94f',
  'sha3-256': '3a985da74fe225b2',
  ripemd160: '8eb208f7e05d987a',
  blake2b: 'bddd813c63423972',
  'HMAC-SHA256': '5bdcc146bf60754e',
  'HMAC-SHA512': '164b7a7bfcf819e2',
  'AES-256-GCM': '522dc1f099567d07',
  secp256k1: '01934b1ea10a4b3c',
  'BIP-340': 'e907831f80848d10',
  'P-256': '01efd48b2aacb6a8',
  ed25519: '6291d657deec2402',
}

runOrSkip('an engine whose self-test fails does not load', async (t) => {
  const component = readFileSync(enginePath('fast'))
  const loads = async (bytes: Uint8Array) => (await openerOf(bytes))(noEntropy).vault.load(new Uint8Array(32))
  await t.notThrowsAsync(loads(component))
  for (const [name, answer] of Object.entries(answers)) {
    const at = component.indexOf(answer)
    t.true(at > 0 && component.indexOf(answer, at + 1) === -1, name)
    const wrong = Buffer.from(component)
    // Not the first digit: the compiler may keep that one elsewhere.
    wrong.write(answer[7] === '0' ? '1' : '0', at + 7)
    await t.throwsAsync(loads(wrong), { instanceOf: WebAssembly.RuntimeError }, name)
  }
})
