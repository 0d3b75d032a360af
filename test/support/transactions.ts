/** Transaction vectors, signatures by @noble as the engine makes them, and a seeded source of broken transactions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { ExecutionContext } from 'ava'
import { hexToBytes } from '../../signer-core/protocol/bytes.ts'
import type { Digest } from '../../signer-core/gate/digest.ts'
import {
  TransactionError,
  type ParsedTransaction,
  type Signer,
  type ToSign,
  type TransactionFormat,
} from '../../signer-core/gate/transactions/transaction.ts'
import { fuzzCount, seedOfRun } from './seeded-random.ts'

export interface TransactionVector {
  name: string
  privateKey: string
  /** Solana only. */
  privateKeys?: string[]
  unsignedTransaction: string
  signedTransaction: string
}

export function transactionVectors<Extra>(chain: 'ethereum' | 'solana' | 'tron' | 'bitcoin') {
  const text = readFileSync(join(import.meta.dirname, '../vectors/transactions.json'), 'utf8')
  return (JSON.parse(text) as Record<string, (TransactionVector & Extra)[]>)[chain] as (TransactionVector & Extra)[]
}

export function hex(text: string): Uint8Array {
  const bytes = hexToBytes(text)
  if (bytes === undefined) throw new Error('not hexadecimal')
  return bytes
}

const hashes: Partial<Record<Parameters<Digest>[0], (data: Uint8Array) => Uint8Array>> = {
  sha256,
  keccak256: keccak_256,
  ripemd160,
}

/** What parsing has asked for. Counted, not timed: it is the same on every machine; a hang is the runner's timeout. */
const digested = { count: 0, bytes: 0 }

export const digest: Digest = (algorithm, data) => {
  digested.count++
  digested.bytes += data.length
  const hash = hashes[algorithm]
  if (hash === undefined) throw new Error(`no transaction is hashed with ${algorithm}`)
  return hash(data)
}

export function signerOf(curve: TransactionFormat['curve'], privateKey: string, name = 'key'): Signer {
  const secret = hex(privateKey)
  if (curve === 'ed25519') return { curve, publicKey: ed25519.getPublicKey(secret), name, taprootOutputKey: undefined }
  return {
    curve,
    publicKey: secp256k1.getPublicKey(secret, false),
    name,
    taprootOutputKey: schnorr.getPublicKey(tweaked(secret)),
  }
}

/** BIP-341, empty script tree. */
function tweaked(secret: Uint8Array): Uint8Array {
  const { Fn } = secp256k1.Point
  const [prefix] = secp256k1.getPublicKey(secret)
  const d = bytesToNumberBE(secret)
  const tweak = bytesToNumberBE(schnorr.utils.taggedHash('TapTweak', schnorr.getPublicKey(secret)))
  return numberToBytesBE(Fn.create((prefix === 2 ? d : Fn.neg(d)) + tweak), 32)
}

/** As the engine signs: RFC 6979 with low s and recovery id in front, BIP-340 without auxiliary randomness. */
export function sign(privateKey: string, { scheme, message }: ToSign): Uint8Array {
  const secret = hex(privateKey)
  if (scheme === 'eddsa') return ed25519.sign(message, secret)
  if (scheme === 'bip340-taproot') return schnorr.sign(message, tweaked(secret), new Uint8Array(32))
  if (scheme !== 'ecdsa') throw new Error(`no transaction is signed with ${scheme}`)
  return secp256k1.sign(message, secret, { prehash: false, lowS: true, format: 'recovered' })
}

export function signAll(privateKey: string, { toSign, assemble }: ParsedTransaction): Uint8Array {
  return assemble(toSign.map((one) => sign(privateKey, one)))
}

/** Each fault is refused with its own text, and the sound transaction that it was made from is not. */
export function refusals(
  t: ExecutionContext,
  parse: (bytes: Uint8Array) => unknown,
  sound: Uint8Array,
  faults: [why: string, bytes: Uint8Array, text: RegExp][],
): void {
  t.notThrows(() => parse(sound))
  for (const [why, bytes, text] of faults)
    t.throws(() => parse(bytes), { instanceOf: TransactionError, message: text }, why)
}

/** xorshift32: the same numbers for the same seed everywhere. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const FUZZ_INPUTS = 100_000
/** A legacy preimage per input is what costs most: 512 KiB in all, hashed twice over, and the rest of a PSBT. */
const DIGESTED_BYTES_MAX = 2_097_152
const DIGESTS_MAX = 8_192

/** Fails when the work asks for more hashing than any transaction may. */
function bounded<T>(t: ExecutionContext, what: string, work: () => T): T {
  Object.assign(digested, { count: 0, bytes: 0 })
  const result = work()
  const { count, bytes } = digested
  if (count > DIGESTS_MAX || bytes > DIGESTED_BYTES_MAX) t.fail(`${count} digests of ${bytes} bytes: ${what}`)
  return result
}

/**
 * Gives `parse` `fuzzCount` inputs, most of them vectors with a few faults. It may throw TransactionError, or read what
 * `encode` writes back byte for byte, with bounded work.
 */
export function fuzz(
  t: ExecutionContext,
  seeds: Uint8Array[],
  parse: (bytes: Uint8Array) => ParsedTransaction,
  encode: (bytes: Uint8Array) => Uint8Array,
): void {
  const seed = seedOfRun()
  const count = fuzzCount(FUZZ_INPUTS)
  const below = numbers(seed)
  let accepted = 0
  for (let i = 0; i < count; i++) {
    const input = brokenInput(seeds, below)
    const parsed = bounded(t, Buffer.from(input).toString('hex'), () => attempt(parse, input))
    if (parsed === undefined) continue
    accepted++
    if (parsed.toSign.length === 0) t.fail(`nothing to sign: ${Buffer.from(input).toString('hex')}`)
    if (!Buffer.from(encode(input)).equals(input)) t.fail(`not canonical: ${Buffer.from(input).toString('hex')}`)
  }
  t.log(`seed ${seed}, ${count} inputs, ${accepted} accepted`)
  // Some faults leave a sound transaction, as another amount does; without any, nothing would have been tested.
  t.true(accepted > 100)
}

function attempt(parse: (bytes: Uint8Array) => ParsedTransaction, input: Uint8Array): ParsedTransaction | undefined {
  try {
    return parse(input)
  } catch (error) {
    if (error instanceof TransactionError) return undefined
    throw new Error(`another error for ${Buffer.from(input).toString('hex')}`, { cause: error })
  }
}

/** For the largest inputs that are allowed. */
export function readsWithBoundedWork(
  t: ExecutionContext,
  parse: (bytes: Uint8Array) => unknown,
  what: string,
  bytes: Uint8Array,
): void {
  t.notThrows(() => bounded(t, what, () => parse(bytes)), what)
}

/** Random bytes, or a vector with one to three faults. */
export function brokenInput(seeds: Uint8Array[], below: (limit: number) => number): Uint8Array {
  if (below(10) === 0) return randomBytes(below(300), below)
  let bytes: Uint8Array = (seeds[below(seeds.length)] as Uint8Array).slice()
  for (let faults = 1 + below(3); faults > 0; faults--) bytes = withFault(bytes, below)
  return bytes
}

function withFault(bytes: Uint8Array, below: (limit: number) => number): Uint8Array {
  const at = below(bytes.length + 1)
  const to = Math.min(bytes.length, at + 1 + below(40))
  switch (below(6)) {
    case 0:
      return bytes.map((byte, i) => (i === at ? byte ^ (1 << below(8)) : byte))
    case 1:
      return bytes.map((byte, i) => (i === at ? below(256) : byte))
    case 2:
      return bytes.slice(0, at)
    case 3:
      return joined(bytes.slice(0, to), bytes.slice(at))
    case 4:
      return joined(bytes.slice(0, at), randomBytes(1 + below(8), below), bytes.slice(at))
    default:
      return joined(bytes.slice(0, at), bytes.slice(to))
  }
}

function randomBytes(length: number, below: (limit: number) => number): Uint8Array {
  return Uint8Array.from({ length }, () => below(256))
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
