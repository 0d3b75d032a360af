/**
 * After each call the fast engine's memory holds no private key, seed or entropy. That the search would find them shows a
 * build of the same engine that does not wipe.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { makeEngine } from '../../signer-core/build/engine-c/fast-engine.ts'
import { builtEngine, enginePath, openerOf, type Engine, type OpenEngine } from '../support/engines.ts'
import { SecretSearch } from '../support/process-memory.ts'
import { openSecret } from '../support/sealed-keys.ts'

const runOrSkip = existsSync(enginePath('fast')) ? test : test.skip

const binding = Uint8Array.of(1, 2, 3)
const message = new Uint8Array(32).fill(5)
const HARDENED = 0x8000_0000
const REPETITIONS = 5
const CURVES = ['secp256k1', 'ed25519', 'p256'] as const
const schemesOf = { secp256k1: ['ecdsa', 'bip340', 'bip340-taproot'], ed25519: ['eddsa'], p256: ['ecdsa'] } as const

type Secrets = Record<string, Uint8Array>

/** An engine whose every secret the test gets to know. */
class Watched {
  readonly dataKey = randomBytes(32)
  readonly secrets: Secrets = {}
  readonly loaded: Engine
  private draws = 0

  constructor(open: OpenEngine) {
    this.loaded = open((length) => {
      const bytes = Uint8Array.from(randomBytes(length))
      // Nonces are no secret and stand in every sealed record.
      if (length !== 12) this.note(`draw ${this.draws++} of ${length} bytes`, bytes)
      return bytes
    })
    this.loaded.vault.load(this.dataKey)
  }

  /** Whole words only, which is what SecretSearch cuts its needles from. */
  note(name: string, secret: Uint8Array): void {
    this.secrets[name] = Uint8Array.from(secret.subarray(0, secret.length - (secret.length % 8)))
  }

  /** A private key as bytes, in BearSSL's words of 31 bits, and expanded as ed25519 uses it. */
  noteKey(name: string, secret: Uint8Array): void {
    this.note(name, secret)
    const value = BigInt(`0x${Buffer.from(secret).toString('hex')}`)
    const words = Uint32Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(31 * i)) & 0x7fff_ffffn))
    this.note(`${name} in words of 31 bits`, new Uint8Array(words.buffer))
    if (!name.includes('ed25519')) return
    const expanded = createHash('sha512').update(secret).digest()
    this.note(`${name} expanded`, expanded.subarray(8, 24))
    this.note(`${name} prefix`, expanded.subarray(32))
  }

  found(): string[] {
    const search = new SecretSearch(this.secrets)
    return this.loaded.memories.flatMap((memory) => search.inBytes(Buffer.from(memory.buffer)))
  }
}

/** Every operation on secrets, several times; `after` is called after each. */
function workWithKeys(watched: Watched, after: (operation: string) => void): void {
  const { engine } = watched.loaded
  const { dataKey } = watched
  for (let i = 0; i < REPETITIONS; i++) {
    const target = { ...engine.generateTarget(binding), binding }
    const targetIdentity = { purpose: 'import-target', curve: 'p256', publicKey: target.publicKey, binding } as const
    watched.noteKey(`target ${i}`, openSecret(dataKey, target.sealed, targetIdentity))
    after('generateTarget')
    const wallet = { sealed: engine.generateWallet(24, binding), binding }
    const identity = { purpose: 'wallet', curve: '', publicKey: new Uint8Array(0), binding } as const
    const opened = openSecret(dataKey, wallet.sealed, identity)
    watched.note(`seed ${i}`, opened.subarray(0, 64))
    watched.note(`wallet entropy ${i}`, opened.subarray(64))
    after('generateWallet')
    for (const curve of CURVES) {
      const fresh = [
        engine.generate(curve, binding),
        engine.derive(wallet, curve, Uint32Array.of(HARDENED + i), binding),
      ]
      for (const [j, { publicKey, sealed }] of fresh.entries()) {
        const key = { curve, publicKey, sealed, binding }
        const secret = openSecret(dataKey, sealed, { purpose: 'private-key', curve, publicKey, binding })
        watched.noteKey(`${curve} key ${i}/${j}`, secret)
        after('generate and derive')
        for (const scheme of schemesOf[curve]) {
          engine.sign(key, scheme, message)
          after(`sign ${scheme}`)
        }
        const parcel = engine.exportKey(key, target.publicKey)
        after('exportKey')
        engine.importKey(target, parcel, curve, binding)
        after('importKey')
      }
    }
    const parcel = engine.exportWallet(wallet, target.publicKey)
    after('exportWallet')
    engine.importWallet(target, parcel, binding)
    after('importWallet')
    engine.attest(message)
    after('attest')
  }
}

function findingsOf(open: OpenEngine): { watched: Watched; found: Set<string> } {
  const watched = new Watched(open)
  const found = new Set<string>()
  workWithKeys(watched, (operation) => {
    for (const each of watched.found()) found.add(`${each} after ${operation}`)
  })
  return { watched, found }
}

runOrSkip('no private key, seed or entropy is left after any call', async (t) => {
  t.timeout(300_000)
  const { watched, found } = findingsOf((await builtEngine('fast')) as OpenEngine)
  t.deepEqual([...found], [])
  t.is(Object.keys(watched.secrets).filter((name) => / key \d+\/\d$/.test(name)).length, 2 * 3 * REPETITIONS)
  assertDataKey(t, watched)
})

/** The data key is gone as soon as its sub-keys are made, these as soon as they are wiped. */
function assertDataKey(t: ExecutionContext, { loaded, dataKey }: Watched): void {
  const inMemory = (secret: Uint8Array) =>
    loaded.memories.flatMap((memory) => new SecretSearch({ it: secret }).inBytes(Buffer.from(memory.buffer)))
  t.deepEqual(inMemory(dataKey), [])
  const text = Buffer.from('text')
  const seal = loaded.engine.notarize('key', text)
  t.deepEqual(inMemory(seal), [], 'not even a seal')
  loaded.vault.wipe()
  for (const memory of loaded.memories) {
    // Nothing but what the libraries keep: no 32 random bytes of ours.
    t.deepEqual(new SecretSearch({ dataKey }).inBytes(Buffer.from(memory.buffer)), [])
  }
}

runOrSkip('the search finds them in an engine that does not wipe', async (t) => {
  t.timeout(600_000)
  const careless = await openerOf(await makeEngine(['-DKEYSTEAD_WITHOUT_WIPING'], () => {}))
  const { found } = findingsOf(careless)
  const kindsFound = [...found].join('\n')
  for (const kind of [
    /secp256k1 key/,
    /ed25519 key/,
    /p256 key/,
    /target/,
    /seed/,
    /wallet entropy/,
    /draw \d+ of 48/,
  ]) {
    t.regex(kindsFound, kind)
  }
  for (const operation of [
    'generate and derive',
    'sign ecdsa',
    'sign eddsa',
    'sign bip340',
    'exportKey',
    'importKey',
    'exportWallet',
  ]) {
    t.true(kindsFound.includes(`after ${operation}`), operation)
  }
})
