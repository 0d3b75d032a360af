/** Tron transactions: vectors byte for byte, one planted fault per rule of Transaction.raw, broken bytes. */
import test from 'ava'
import { readProtobuf, writeProtobuf } from '../../../signer-core/gate/transactions/protobuf.ts'
import { tron } from '../../../signer-core/gate/transactions/tron.ts'
import {
  any,
  base58check,
  calling,
  contractOf,
  head,
  KEY,
  message,
  OTHER,
  OWNER,
  parse,
  transfer,
  txOf,
  type Fields,
} from '../../support/tron-messages.ts'
import {
  digest,
  fuzz,
  hex,
  readsWithBoundedWork,
  refusals,
  signAll,
  signerOf,
  transactionVectors,
} from '../../support/transactions.ts'

interface TronVector {
  transaction: {
    contract: { type: string; parameter: { value: Record<string, string | number> } }[]
    data?: string
    fee_limit?: number
    ref_block_bytes: string
    ref_block_hash: string
    expiration: number
    timestamp: number
  }
  signingHash: string
}
const vectors = transactionVectors<TronVector>('tron')
test('7 vectors: signing hash, signed bytes and facts', (t) => {
  t.is(vectors.length, 7)
  for (const { name, privateKey, transaction, ...vector } of vectors) {
    const parsed = tron.parse(hex(vector.unsignedTransaction), signerOf('secp256k1', privateKey), digest)
    t.is(Buffer.from(parsed.toSign[0]?.message ?? []).toString('hex'), vector.signingHash, name)
    t.is(Buffer.from(signAll(privateKey, parsed)).toString('hex'), vector.signedTransaction, name)

    const tx = txOf(parsed)
    t.is(tx.ref_block_bytes, transaction.ref_block_bytes)
    t.is(tx.ref_block_hash, transaction.ref_block_hash)
    t.is(tx.expiration, String(transaction.expiration))
    t.is(tx.timestamp, String(transaction.timestamp))
    t.is(tx.data, transaction.data ?? '')
    t.is(tx.fee_limit, String(transaction.fee_limit ?? 0))
    const [contract] = tx.contract as Record<string, unknown>[]
    const [expected] = transaction.contract
    t.is(contract?.type, expected?.type)
    for (const [field, value] of Object.entries(expected?.parameter.value ?? {})) {
      const told = field.endsWith('address') ? base58check.encode(hex(String(value))) : String(value)
      t.is(contract?.[field], field === 'asset_name' ? Buffer.from(told, 'hex').toString() : told, `${name}: ${field}`)
    }
  }
})

test('raw: one fault each', (t) => {
  const contract = message([
    [1, 1],
    [2, any('TransferContract', transfer)],
  ])
  const sound: Fields = [...head, [11, contract]]
  const without = (number: number) => message(sound.filter(([each]) => each !== number))
  const field = (at: number, value: Fields[number][1]) => message(sound.with(at, [sound[at]?.[0] ?? 0, value]))
  const bytes = message(sound)
  refusals(t, parse, bytes, [
    ['nothing', hex(''), /no bytes/],
    ['no reference block', without(1), /field that it needs/],
    ['no reference hash', without(4), /field that it needs/],
    ['no expiration', without(8), /field that it needs/],
    ['no contract', without(11), /field that it needs/],
    ['two contracts', message([...sound, [11, contract]]), /field twice/],
    ['auths', message([...head, [9, 'x'], [11, contract]]), /field that is not offered/],
    ['scripts', message([...sound, [12, 'x']]), /field that is not offered/],
    ['an unknown field', message([...sound, [19, 1]]), /field that is not offered/],
    ['out of order', message([...sound.slice(1), [1, hex('bd5d')]]), /out of order/],
    ['three bytes of block number', field(0, hex('00bd5d')), /not 2 bytes/],
    ['seven bytes of block hash', field(1, hex('1ffdb5cc406fd5')), /not 8 bytes/],
    ['a negative fee limit', message([...sound, [18, (1n << 64n) - 1n]]), /out of its range/],
    ['the end of a contract missing', bytes.slice(0, -1), /end too early/],
    ['longer than any', field(3, new Uint8Array(131_072)), /longer than 131072/],
  ])
  readsWithBoundedWork(t, parse, 'a long memo', message([...head, [10, new Uint8Array(130_000)], [11, contract]]))
  t.is(txOf(parse(message([...sound, [14, 5], [18, 6]]))).fee_limit, '6')
})

test('the owner is the key, unless a permission is named', (t) => {
  const foreign: Fields = [
    [1, OTHER],
    [2, OWNER],
    [3, 7],
  ]
  t.throws(() => parse(calling(1, foreign)), { message: /not the signing key/ })
  t.is(contractOf(calling(1, foreign, [[5, 2]]))?.permission_id, 2)
  t.throws(() => tron.parse(calling(1, transfer), signerOf('ed25519', KEY), digest), { message: /secp256k1/ })
  const { assemble } = parse(calling(1, transfer))
  t.throws(() => assemble([]))
  t.throws(() => assemble([new Uint8Array(65).fill(2)]), { message: /no form on this chain/ })
})

test('broken transactions', (t) => {
  const own = vectors.filter(({ privateKey }) => privateKey === KEY).map((each) => hex(each.unsignedTransaction))
  // With a permission the owner may be anybody, so that more of the broken ones are read to their end.
  const seeds = [
    ...own,
    calling(1, transfer, [[5, 2]]),
    calling(
      57,
      [
        [1, OTHER],
        [4, OWNER],
      ],
      [[5, 3]],
    ),
  ]
  fuzz(t, seeds, parse, (bytes) => writeProtobuf(readProtobuf(bytes)))
})
