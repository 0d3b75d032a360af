/** Solana transactions: vectors byte for byte, one planted fault per rule, limits at their edges, broken bytes. */
import { base58 } from '@scure/base'
import test from 'ava'
import { solana } from '../../../signer-core/gate/transactions/solana.ts'
import {
  readSolana,
  SOLANA_BYTES_MAX,
  writeSolana,
  type SolanaInstruction,
  type SolanaTransaction,
} from '../../../signer-core/gate/transactions/solana-message.ts'
import { digest, fuzz, hex, joined, refusals, sign, signerOf, transactionVectors } from '../../support/transactions.ts'

interface SolanaVector {
  privateKeys: string[]
  signers: string[]
  messageToSign: string
}
const vectors = transactionVectors<SolanaVector>('solana')
const parseFor = (privateKey: string) => {
  const signer = signerOf('ed25519', privateKey)
  return (bytes: Uint8Array) => solana.parse(bytes, signer, digest)
}
const factsOf = (bytes: Uint8Array) => (parse(bytes).facts.solana as { tx: Record<string, unknown> }).tx

const KEY = '972bdf1a090d0ff674b38e8801604d4d3cf0f242c92a1ec494ccdecbab268594'
const PAYER = '9zqakRe4bL22oCpHbyC8bhtCnmcuazhjUPVB4VgxypY6'
const parse = parseFor(KEY)
const vector = (start: string) => hex(vectors.find(({ name }) => name.startsWith(start))?.unsignedTransaction ?? '')

test('10 vectors: each key fills its own slot', (t) => {
  t.is(vectors.length, 10)
  for (const { name, privateKeys, unsignedTransaction, messageToSign, signedTransaction } of vectors) {
    let bytes = hex(unsignedTransaction)
    for (const privateKey of privateKeys) {
      const { toSign, assemble } = parseFor(privateKey)(bytes)
      t.is(toSign.length, 1)
      t.is(Buffer.from(toSign[0]?.message ?? []).toString('hex'), messageToSign, name)
      bytes = assemble(toSign.map((one) => sign(privateKey, one)))
    }
    t.is(Buffer.from(bytes).toString('hex'), signedTransaction, name)
  }
})

test('facts: accounts, transfers, lookups', (t) => {
  const transfer = factsOf(vector('legacy, SOL transfer'))
  t.deepEqual(transfer.transfers, [
    { from: PAYER, to: (transfer.account_keys as string[])[1] ?? '', amount: '1234567' },
  ])
  t.deepEqual(transfer.program_keys, ['11111111111111111111111111111111'])
  t.deepEqual((transfer.instructions as { accounts: unknown[] }[])[0]?.accounts[0], {
    account_key: PAYER,
    signer: true,
    writable: true,
  })

  const two = factsOf(vector('legacy, compute budget'))
  t.deepEqual(
    (two.transfers as { amount: string }[]).map(({ amount }) => amount),
    ['1', '9007199254740991'],
  )
  t.is((two.program_keys as string[]).length, 3)

  const { spl_transfers: spl, account_keys: keys } = factsOf(vector('legacy, SPL token transfer'))
  const [, from, to] = keys as string[]
  t.deepEqual(spl, [{ from, to, amount: '1000000', owner: PAYER, signers: [], token_mint: '' }])
})

test('facts: looked-up accounts', (t) => {
  const lookup = factsOf(vector('v0, with an address lookup table'))
  const unknown = { account_key: 'ADDRESS_TABLE_LOOKUP', signer: false, writable: true }
  const address_table_key = base58.encode(readSolana(vector('v0, with')).lookups[0]?.table ?? hex(''))
  t.deepEqual(lookup.transfers, [{ from: PAYER, to: 'ADDRESS_TABLE_LOOKUP', amount: '10' }])
  t.deepEqual((lookup.account_keys as string[]).slice(4), Array(3).fill('ADDRESS_TABLE_LOOKUP'))
  t.deepEqual(lookup.address_table_lookups, [{ address_table_key, writable_indexes: [1, 2, 3], readonly_indexes: [] }])
  const [, token] = lookup.instructions as Record<string, unknown>[]
  t.deepEqual(token?.accounts, [unknown, unknown, { account_key: PAYER, signer: true, writable: true }])
  t.deepEqual(token?.address_table_lookups, [
    { address_table_key, index: 2, writable: true },
    { address_table_key, index: 3, writable: true },
  ])

  // With two tables: all writable accounts of both come before all read-only ones.
  const sound = readSolana(vector('v0, with'))
  const lookups = [1, 2].map((n) => ({
    table: new Uint8Array(32).fill(n),
    writable: Uint8Array.of(10 * n),
    readonly: Uint8Array.of(10 * n + 1),
  }))
  const instructions = [{ program: 1, accounts: Uint8Array.of(4, 5, 6, 7), data: hex('09000000') }]
  const both = factsOf(writeSolana({ ...sound, lookups, instructions })).instructions as Record<string, unknown>[]
  const entries = both[0]?.address_table_lookups as { index: number; writable: boolean }[]
  t.deepEqual(
    entries.map(({ index, writable }) => [index, writable]),
    [
      [10, true],
      [20, true],
      [11, false],
      [21, false],
    ],
  )
})

const KEYS = [base58.decode(PAYER), ...[1, 2, 3, 4].map((n) => new Uint8Array(32).fill(n))]
const SYSTEM = new Uint8Array(32)
const [TOKEN, TOKEN_2022] = [
  base58.decode('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  base58.decode('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
]
/** Payer and key 1 sign, 2 to 4 are accounts; 3 and 4 and the program are read-only. */
function calling(program: Uint8Array, data: string, accounts: number[]): Uint8Array {
  return writeSolana({
    signatures: [new Uint8Array(64), new Uint8Array(64)],
    version: 'legacy',
    required: 2,
    readonlySigned: 1,
    readonlyUnsigned: 3,
    keys: [...KEYS, program],
    recentBlockhash: new Uint8Array(32),
    instructions: [{ program: 5, accounts: Uint8Array.from(accounts), data: hex(data) }],
    lookups: [],
  })
}
const key = (n: number) => base58.encode(KEYS[n] as Uint8Array)

test('transfers are read as the programs read them, or refused', (t) => {
  const amount = '0a00000000000000'
  const soundSystem = calling(SYSTEM, `02000000${amount}`, [0, 2])
  refusals(t, parse, soundSystem, [
    ['bytes behind', calling(SYSTEM, `02000000${amount}00`, [0, 2]), /bytes after/],
    ['half an amount', calling(SYSTEM, '020000000a00', [0, 2]), /end too early/],
    ['no instruction number', calling(SYSTEM, '0200', [0, 2]), /end too early/],
    ['one account', calling(SYSTEM, `02000000${amount}`, [0]), /too few accounts/],
  ])
  t.deepEqual(factsOf(calling(SYSTEM, `03000000${amount}`, [0, 2])).transfers, [])
  t.deepEqual(factsOf(calling(SYSTEM, `02000000${amount}`, [0, 2, 3])).transfers, [
    { from: PAYER, to: key(2), amount: '10' },
  ])

  for (const program of [TOKEN, TOKEN_2022]) {
    const spl = (data: string, accounts: number[]) => factsOf(calling(program, data, accounts)).spl_transfers
    const to = { amount: '10', signers: [] as string[] }
    t.deepEqual(spl(`03${amount}`, [2, 3, 0]), [{ ...to, from: key(2), to: key(3), owner: PAYER, token_mint: '' }])
    const checked = { ...to, from: key(2), token_mint: key(3), to: key(4), owner: PAYER }
    t.deepEqual(spl(`0c${amount}06`, [2, 3, 4, 0]), [checked])
    t.deepEqual(spl(`0c${amount}06`, [2, 3, 4, 0, 1, 3]), [{ ...checked, signers: [key(1)] }])
    t.deepEqual(spl(`1a01${amount}060500000000000000`, [2, 3, 4, 0]), [{ ...checked, fee: '5' }])
    t.deepEqual(spl('1a05', [2]), [])
    t.deepEqual(spl(`07${amount}`, [2, 3, 0]), [])
    refusals(t, parse, calling(program, `03${amount}`, [2, 3, 0]), [
      ['bytes behind a transfer', calling(program, `03${amount}00`, [2, 3, 0]), /bytes after/],
      ['no owner', calling(program, `03${amount}`, [2, 3]), /too few accounts/],
      ['no decimals', calling(program, `0c${amount}`, [2, 3, 4, 0]), /end too early/],
      ['no owner of a checked one', calling(program, `0c${amount}06`, [2, 3, 4]), /too few accounts/],
      ['no fee', calling(program, `1a01${amount}06`, [2, 3, 4, 0]), /end too early/],
      ['no data', calling(program, '', []), /end too early/],
      ['a batch', calling(program, 'ff', []), /batches/],
    ])
  }
})

test('the wire: one fault each', (t) => {
  const bytes = vector('v0, with')
  const sound = readSolana(bytes)
  const [instruction] = sound.instructions as [SolanaInstruction]
  const [lookup] = sound.lookups
  const changed = (change: Partial<SolanaTransaction>) => writeSolana({ ...sound, ...change })
  const withInstruction = (change: Partial<SolanaInstruction>) =>
    changed({ instructions: [{ ...instruction, ...change }] })
  const withLookups = (count: number) => {
    const lookups = [{ ...(lookup as NonNullable<typeof lookup>), readonly: new Uint8Array(count) }]
    return changed({ lookups })
  }
  refusals(t, parse, bytes, [
    ['nothing', hex(''), /no bytes/],
    ['bytes behind', joined(bytes, Uint8Array.of(0)), /bytes after/],
    ['a byte less', bytes.slice(0, -1), /end too early/],
    ['version 1', joined(bytes.slice(0, 65), Uint8Array.of(0x81), bytes.slice(66)), /this version/],
    ['a length in two bytes', joined(hex('8100'), bytes.slice(1)), /no compact-u16/],
    ['a length of 17 bits', joined(hex('ffff04'), bytes.slice(1)), /no compact-u16/],
    ['a length of four bytes', joined(hex('81808000'), bytes.slice(1)), /no compact-u16/],
    ['a length beyond the end', joined(hex('ffff03'), bytes.slice(1)), /end too early/],
    ['two slots for one signer', changed({ signatures: [new Uint8Array(64), new Uint8Array(64)] }), /signature slots/],
    ['no slot', changed({ signatures: [] }), /signature slots/],
    ['no signer', changed({ signatures: [], required: 0 }), /signature slots/],
    ['no writable signer', changed({ readonlySigned: 1 }), /no writable signer/],
    ['too few keys', changed({ readonlyUnsigned: 4 }), /fewer keys/],
    ['a key twice', changed({ keys: sound.keys.with(2, sound.keys[1] as Uint8Array) }), /key twice/],
    ['the payer as program', withInstruction({ program: 0 }), /no static account/],
    ['a looked-up program', withInstruction({ program: 4 }), /no static account/],
    ['an account too far', withInstruction({ accounts: Uint8Array.of(0, 7) }), /not in the transaction/],
    ['a lookup of nothing', changed({ lookups: [{ ...lookup, ...empty }] as never }), /lookup of no account/],
    ['257 accounts', withLookups(250), /more accounts/],
    ['a legacy message with lookups', joined(bytes.slice(0, 65), bytes.slice(66)), /bytes after/],
  ])
  t.notThrows(() => parse(withLookups(249)))
  t.notThrows(() => parse(withInstruction({ accounts: Uint8Array.of(0, 6) })))

  const withData = (length: number) => withInstruction({ program: 3, data: new Uint8Array(length) })
  const most = SOLANA_BYTES_MAX - (withData(500).length - 500)
  t.notThrows(() => parse(withData(most)))
  t.throws(() => parse(withData(most + 1)), { message: /longer than 1232 bytes/ })
})
const empty = { writable: new Uint8Array(0), readonly: new Uint8Array(0) }

test('the key must sign, and other slots stay', (t) => {
  const other = signerOf('ed25519', '11'.repeat(32))
  const bytes = vector('legacy, two signers, both sign')
  t.throws(() => solana.parse(bytes, other, digest), { message: /not among the signers/ })
  // An account of the transaction, but not one that signs.
  const sound = readSolana(bytes)
  const asAccount = writeSolana({ ...sound, keys: sound.keys.with(2, other.publicKey) })
  t.throws(() => solana.parse(asAccount, other, digest), { message: /not among the signers/ })
  const wrongCurve = { ...other, curve: 'secp256k1' as const, publicKey: sound.keys[0] as Uint8Array }
  t.throws(() => solana.parse(bytes, wrongCurve, digest), { message: /not among the signers/ })

  const filled = writeSolana({ ...sound, signatures: [new Uint8Array(64).fill(1), new Uint8Array(64).fill(2)] })
  const { assemble } = parse(filled)
  const signed = readSolana(assemble([new Uint8Array(64).fill(3)]))
  t.deepEqual(
    signed.signatures.map(([first]) => first),
    [3, 2],
  )
  t.throws(() => assemble([new Uint8Array(65)]))
})

test('broken transactions', (t) => {
  const seeds = vectors.filter(({ signers }) => signers[0] === PAYER).map((each) => hex(each.unsignedTransaction))
  t.true(seeds.length > 5)
  fuzz(t, seeds, parse, (bytes) => writeSolana(readSolana(bytes)))
})
