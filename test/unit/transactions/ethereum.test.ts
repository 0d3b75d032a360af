/** Ethereum transactions: vectors byte for byte, one planted fault per rule, limits at their edges, broken bytes. */
import test from 'ava'
import { ethereum, readEthereum, writeEthereum } from '../../../signer-core/gate/transactions/ethereum.ts'
import {
  bigEndian,
  readRlp,
  RLP_ITEMS_MAX,
  writeRlp,
  type RlpItem,
} from '../../../signer-core/gate/transactions/rlp.ts'
import { TRANSACTION_BYTES_MAX } from '../../../signer-core/gate/transactions/wire.ts'
import {
  digest,
  fuzz,
  hex,
  joined,
  readsWithBoundedWork,
  refusals,
  signAll,
  signerOf,
  transactionVectors,
} from '../../support/transactions.ts'

interface EthereumVector {
  from: string
  transaction: Record<string, string | number | undefined>
  signingHash: string
}
const vectors = transactionVectors<EthereumVector>('ethereum')
const told = (value: string | number | undefined) => (value === undefined ? undefined : String(value))
const KEY = '51a10eee8cf6fc07b8a4c3552e66c0655b6570675c0bffff522fb602ae20cc1c'
const signer = signerOf('secp256k1', KEY)
const parse = (bytes: Uint8Array) => ethereum.parse(bytes, signer, digest)
const factsOf = (bytes: Uint8Array) => (parse(bytes).facts.eth as { tx: Record<string, unknown> }).tx

test('18 vectors: signing hash, signed bytes and facts', (t) => {
  t.is(vectors.length, 18)
  for (const { name, privateKey, from, transaction, ...vector } of vectors) {
    const parsed = ethereum.parse(hex(vector.unsignedTransaction), signerOf('secp256k1', privateKey), digest)
    t.is(Buffer.from(parsed.toSign[0]?.message ?? []).toString('hex'), vector.signingHash, name)
    t.is(Buffer.from(signAll(privateKey, parsed)).toString('hex'), vector.signedTransaction, name)

    const { tx } = parsed.facts.eth as { tx: Record<string, unknown> }
    t.is(tx.from, from.toLowerCase(), name)
    t.is(tx.to, told(transaction.to)?.toLowerCase() ?? '', name)
    t.is(tx.value, told(transaction.value) ?? '0', name)
    t.is(tx.data, told(transaction.data) ?? '0x', name)
    t.is(tx.nonce, String(transaction.nonce), name)
    t.is(tx.gas, told(transaction.gas), name)
    t.is(tx.chain_id, told(transaction.chainId), name)
    t.is(tx.gas_price, told(transaction.gasPrice ?? transaction.maxFeePerGas), name)
    t.is(tx.max_fee_per_gas, told(transaction.maxFeePerGas), name)
    t.is(tx.max_priority_fee_per_gas, told(transaction.maxPriorityFeePerGas), name)
    t.is(tx.max_fee_per_blob_gas, told(transaction.maxFeePerBlobGas), name)
  }
  const types = vectors.map(({ unsignedTransaction }) => factsOf(hex(unsignedTransaction)).type)
  t.deepEqual(new Set(types), new Set(['LEGACY', 'TYPE_1', 'TYPE_2', 'TYPE_3', 'TYPE_4']))
})

const named = (start: string) => {
  const found = vectors.find(({ name }) => name.startsWith(start))
  return hex(found?.unsignedTransaction ?? '')
}

test('facts of lists', (t) => {
  t.deepEqual(factsOf(named('EIP-7702, one authorization')).authorization_list, [
    {
      chain_id: '1',
      address: '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b',
      nonce: '2',
      y_parity: 1,
      r: '0xaece322b67d29123e5a70d9d8083d59b5f0fe8e3d508b7566b0048bb44b8731d',
      s: '0x42b5ac6d61281e7d230dfca74ea87212c5f9bfe350e6a4c2bdc556d2ea817c3c',
    },
  ])
  const blobs = factsOf(named('EIP-4844, two blob hashes'))
  t.is((blobs.blob_versioned_hashes as unknown[]).length, 2)
  const [entry] = blobs.access_list as { address: string; storage_keys: string[] }[]
  t.is(entry?.address, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
  t.is(entry?.storage_keys[1], `0x${'ab'.repeat(32)}`)
})

const number = (value: bigint | number) => bigEndian(BigInt(value))
const TO = new Uint8Array(20).fill(7)
const NONE = new Uint8Array(0)
const call: RlpItem[] = [number(21_000), TO, number(5), NONE]
const fees: RlpItem[] = [number(1), number(9), number(2), number(3)]
const hash = joined(Uint8Array.of(1), new Uint8Array(31))
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const authorization: RlpItem[] = [NONE, TO, NONE, number(1), number(5), number(6)]

const soundLegacy: RlpItem[] = [number(9), number(2), ...call]
const sound: Record<number, RlpItem[]> = {
  1: [number(1), number(9), number(2), ...call, []],
  2: [...fees, ...call, []],
  3: [...fees, ...call, [], number(1), [hash]],
  4: [...fees, ...call, [], [authorization]],
}
const typed = (type: number, items: RlpItem) => joined(Uint8Array.of(type), writeRlp(items))
const replaced = (type: number, at: number, item: RlpItem) => typed(type, (sound[type] as RlpItem[]).with(at, item))

test('legacy: exactly the unsigned fields', (t) => {
  const wrong = /unsigned legacy transaction/
  const withTail = (...tail: RlpItem[]) => writeRlp([...soundLegacy, ...tail])
  t.notThrows(() => parse(writeRlp(soundLegacy)))
  refusals(t, parse, withTail(number(1), NONE, NONE), [
    ['five fields', writeRlp(soundLegacy.slice(1)), wrong],
    ['seven fields', withTail(number(1)), wrong],
    ['signed', withTail(number(37), number(1), number(1)), wrong],
    ['ten fields', withTail(number(1), NONE, NONE, NONE), wrong],
    ['a list in the tail', withTail(number(1), [], NONE), wrong],
    ['chain id 0', withTail(NONE, NONE, NONE), /no such chain id/],
    ['chain id beyond EIP-2294', withTail(number((1n << 63n) - 36n), NONE, NONE), /no such chain id/],
    ['no list', writeRlp(new Uint8Array(60)), /neither a legacy nor a typed/],
    ['nothing', NONE, /no bytes/],
    ['bytes behind', joined(writeRlp(soundLegacy), Uint8Array.of(0)), /bytes after the RLP item/],
  ])
  t.is(factsOf(withTail(number((1n << 63n) - 37n), NONE, NONE)).chain_id, String((1n << 63n) - 37n))
})

test('typed: known types, exactly the unsigned fields', (t) => {
  for (const [type, items] of Object.entries(sound)) {
    refusals(t, parse, typed(Number(type), items), [
      ['a field less', typed(Number(type), items.slice(0, -1)), /fields of an unsigned transaction/],
      ['a field more', typed(Number(type), [...items, NONE]), /fields of an unsigned transaction/],
      ['signed', typed(Number(type), [...items, NONE, number(1), number(1)]), /fields of an unsigned transaction/],
      ['chain id 0', typed(Number(type), items.with(0, NONE)), /no such chain id/],
      ['no list', typed(Number(type), NONE), /not an RLP list/],
    ])
  }
  for (const type of [0x00, 0x05, 0x76, 0x7f]) {
    t.throws(() => parse(typed(type, sound[2] as RlpItem[])), { message: /of this type are not offered/ })
  }
})

test('fields: lengths and ranges', (t) => {
  const toList = /list where bytes should be/
  refusals(t, parse, typed(2, sound[2] as RlpItem[]), [
    ['19 bytes of address', replaced(2, 5, TO.subarray(1)), /not 20 bytes/],
    ['21 bytes of address', replaced(2, 5, new Uint8Array(21)), /not 20 bytes/],
    ['a list as address', replaced(2, 5, []), toList],
    ['a list as data', replaced(2, 7, []), toList],
    ['a list as value', replaced(2, 6, []), /list where a number/],
    ['nonce of 65 bits', replaced(2, 1, number(1n << 64n)), /more than 64 bits/],
    ['gas of 65 bits', replaced(2, 4, number(1n << 64n)), /more than 64 bits/],
    ['value of 257 bits', replaced(2, 6, new Uint8Array(33).fill(1)), /more than 256 bits/],
    ['zero with a byte', replaced(2, 6, Uint8Array.of(0)), /leading zeros/],
    ['a leading zero', replaced(2, 6, Uint8Array.of(0, 1)), /leading zeros/],
    ['a tip above the fee', replaced(2, 2, number(4)), /above max_fee_per_gas/],
    ['bytes as access list', replaced(2, 8, NONE), /bytes where a list/],
    ['bytes as entry', replaced(2, 8, [TO]), /bytes where a list/],
    ['entry of one', replaced(2, 8, [[TO]]), /wrong length/],
    ['entry of three', replaced(2, 8, [[TO, [], []]]), /wrong length/],
    ['entry with a short address', replaced(2, 8, [[hash, []]]), /not 20 bytes/],
    ['storage key of 31 bytes', replaced(2, 8, [[TO, [hash.subarray(1)]]]), /not 32 bytes/],
    ['bytes as storage keys', replaced(2, 8, [[TO, hash]]), /bytes where a list/],
  ])
  t.is(factsOf(replaced(2, 1, number((1n << 64n) - 1n))).nonce, '18446744073709551615')
  t.is(factsOf(replaced(2, 5, NONE)).to, '')
})

test('blobs and authorizations', (t) => {
  refusals(t, parse, typed(3, sound[3] as RlpItem[]), [
    ['no `to`', replaced(3, 5, NONE), /need `to`/],
    ['no blob', replaced(3, 10, []), /must not be empty/],
    ['blob version 2', replaced(3, 10, [new Uint8Array(32).fill(2)]), /unknown version/],
    ['hash of 31 bytes', replaced(3, 10, [hash.subarray(0, 31)]), /not 32 bytes/],
  ])
  const tuple = (at: number, item: RlpItem) => replaced(4, 9, [authorization.with(at, item)])
  refusals(t, parse, typed(4, sound[4] as RlpItem[]), [
    ['no `to`', replaced(4, 5, NONE), /need `to`/],
    ['no authorization', replaced(4, 9, []), /must not be empty/],
    ['five items', replaced(4, 9, [authorization.slice(1)]), /wrong length/],
    ['seven items', replaced(4, 9, [[...authorization, NONE]]), /wrong length/],
    ['no address', tuple(1, NONE), /not 20 bytes/],
    ['nonce of 65 bits', tuple(2, number(1n << 64n)), /more than 64 bits/],
    ['parity 2', tuple(3, number(2)), /y parity/],
    ['r 0', tuple(4, NONE), /impossible signature/],
    ['r n', tuple(4, number(ORDER)), /impossible signature/],
    ['high s', tuple(5, number(ORDER / 2n + 1n)), /impossible signature/],
  ])
  t.notThrows(() => parse(tuple(5, number(ORDER / 2n))))
})

test('RLP: canonical only', (t) => {
  const sized = (text: string) => hex(text)
  refusals(t, readRlp, writeRlp([[[[NONE]]]]), [
    ['five lists', writeRlp([[[[[]]]]]), /nested too deeply/],
    ['a byte in two', sized('c28105'), /written in two bytes/],
    ['a long form for 55', joined(sized('b837'), new Uint8Array(55)), /length not minimal/],
    ['a length with a zero', joined(sized('b90038'), new Uint8Array(56)), /length not minimal/],
    ['a length of four bytes', joined(sized('bb00000038'), new Uint8Array(56)), /longer than what holds it/],
    ['a length of eight bytes', sized('ffffffffffffffffff'), /longer than what holds it/],
    ['more than there is', sized('8201'), /longer than what holds it/],
    ['more than its list', sized('c28201ff'), /longer than what holds it/],
    ['a length beyond the end', sized('c1b8'), /longer than what holds it/],
    ['bytes behind', sized('c000'), /bytes after/],
  ])
  t.notThrows(() => readRlp(joined(sized('b838'), new Uint8Array(56))))
  const many = (count: number) => writeRlp(Array.from({ length: count }, () => NONE))
  t.notThrows(() => readRlp(many(RLP_ITEMS_MAX - 1)))
  t.throws(() => readRlp(many(RLP_ITEMS_MAX)), { message: /too many RLP items/ })
})

test('the longest transaction', (t) => {
  const withData = (length: number) => replaced(2, 7, new Uint8Array(length))
  const most = TRANSACTION_BYTES_MAX - (withData(100_000).length - 100_000)
  t.is(withData(most).length, TRANSACTION_BYTES_MAX)
  t.notThrows(() => parse(withData(most)))
  t.throws(() => parse(withData(most + 1)), { message: /longer than 131072 bytes/ })
  readsWithBoundedWork(t, parse, 'long data', withData(most))
  const entries = Array.from({ length: 2_700 }, (): RlpItem => [TO, []])
  readsWithBoundedWork(t, parse, '2700 entries of an access list', replaced(2, 8, entries))
  const keys = Array.from({ length: 3_900 }, () => hash)
  readsWithBoundedWork(t, parse, '3900 storage keys', replaced(2, 8, [[TO, keys]]))
})

test('a key of another curve, a signature that cannot be written', (t) => {
  const bytes = typed(2, sound[2] as RlpItem[])
  const other = signerOf('ed25519', KEY)
  t.throws(() => ethereum.parse(bytes, other, digest), { message: /needs a secp256k1 key/ })
  const { assemble } = parse(bytes)
  t.throws(() => assemble([]))
  t.throws(() => assemble([new Uint8Array(64)]))
  t.throws(() => assemble([new Uint8Array(65).fill(2)]), { message: /no form on this chain/ })
})

test('broken transactions', (t) => {
  const seeds = vectors.map(({ unsignedTransaction }) => hex(unsignedTransaction))
  fuzz(t, seeds, parse, (bytes) => writeEthereum(readEthereum(bytes)))
})
