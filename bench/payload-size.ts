/**
 * How long a payload may be before hashing and signing it in the component takes more than 50 ms, for each kind of
 * hashing: `node bench/payload-size.ts` after a build, on an otherwise idle machine. Each figure is the lowest of some
 * calls, because other work on the machine only adds.
 */
import { Bench, type KeyRecord } from '../test/support/component.ts'

const LIMIT_MS = 50
const CALLS = 7
const KIB = 1024
/** The longest body has 256 KiB, and hexadecimal takes two characters for a byte. */
const KIB_MAX = 127
const TEXT = 'PAYLOAD_ENCODING_TEXT_UTF8'

const bench = await Bench.open(new Uint8Array(32).fill(5))
const secp256k1 = bench.create('CURVE_SECP256K1').key
const ed25519 = bench.create('CURVE_ED25519').key

interface Case {
  what: string
  key: KeyRecord
  hashFunction: string
  encoding: string
  payload: (kib: number) => string
}

const text = (kib: number) => 'x'.repeat(kib * KIB)
const hexadecimal = (kib: number) => 'ab'.repeat(kib * KIB)

/** One long member; many short ones cost more, and are limited by their number. */
function typedData(kib: number): string {
  const types = { EIP712Domain: [], Text: [{ name: 'text', type: 'string' }] }
  return JSON.stringify({ types, domain: {}, primaryType: 'Text', message: { text: text(kib) } })
}

const cases: Case[] = [
  ['SHA-256 of text', secp256k1, 'HASH_FUNCTION_SHA256', TEXT, text],
  ['SHA-256 of hexadecimal', secp256k1, 'HASH_FUNCTION_SHA256', 'PAYLOAD_ENCODING_HEXADECIMAL', hexadecimal],
  ['keccak-256 of text', secp256k1, 'HASH_FUNCTION_KECCAK256', TEXT, text],
  ['ed25519 message', ed25519, 'HASH_FUNCTION_NOT_APPLICABLE', TEXT, text],
  ['EIP-712 of one long text', secp256k1, 'HASH_FUNCTION_NO_OP', 'PAYLOAD_ENCODING_EIP712', typedData],
].map(([what, key, hashFunction, encoding, payload]) => ({ what, key, hashFunction, encoding, payload }) as Case)

/** Processor time, which another process on the machine lengthens less than the clock's. */
function* callsMs({ key, hashFunction, encoding, payload }: Case, kib: number, calls: number): Generator<number> {
  const given = payload(kib)
  for (let call = 0; call < calls; call++) {
    const before = process.cpuUsage()
    bench.sign(key, given, hashFunction, encoding)
    const { user, system } = process.cpuUsage(before)
    yield (user + system) / 1000
  }
}

const lowestMs = (each: Case, kib: number) => Math.min(...callsMs(each, kib, 5)).toFixed(1)

for (const each of cases) {
  lowestMs(each, 1)
  let [fits, tooLong] = [0, KIB_MAX]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (callsMs(each, middle, CALLS).some((ms) => ms < LIMIT_MS)) fits = middle
    else tooLong = middle
  }
  const [least, most] = [lowestMs(each, 0), lowestMs(each, 100)]
  console.log(`${each.what}: under ${LIMIT_MS} ms up to ${fits} KiB; ${least} ms for none, ${most} ms for 100 KiB`)
}
