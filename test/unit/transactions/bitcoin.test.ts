/** Bitcoin transactions: vectors byte for byte, facts, broken bytes. */
import test from 'ava'
import { bitcoin } from '../../../signer-core/gate/transactions/bitcoin.ts'
import { addressOf, networkOf } from '../../../signer-core/gate/transactions/bitcoin-script.ts'
import { IN, readPsbt, writePsbt, type PsbtPair } from '../../../signer-core/gate/transactions/psbt.ts'
import {
  factsOf,
  foreign,
  KEY,
  kinds,
  kindScripts,
  made,
  own,
  pair,
  parse,
  psbtOf,
  toHex,
  txOf,
} from '../../support/psbts.ts'
import { digest, fuzz, hex, signAll, signerOf, transactionVectors } from '../../support/transactions.ts'

interface BitcoinVector {
  network: string
  signWith: string[]
  inputs: { kind: string; value: string; ownedByKey: boolean }[]
  outputs: { address: string; value: string }[]
  signatures: { sighash: string }[]
}
const vectors = transactionVectors<BitcoinVector>('bitcoin')
test('17 vectors: 16 signed byte for byte, wrapped SegWit refused', (t) => {
  t.is(vectors.length, 17)
  for (const { name, privateKey, signWith, ...vector } of vectors) {
    const bytes = hex(vector.unsignedTransaction)
    const named = signerOf('secp256k1', privateKey, signWith[0])
    if (name === 'alternate convention: P2SH-P2WPKH') {
      t.throws(() => bitcoin.parse(bytes, named, digest), { message: /wrapped in P2SH/ })
      continue
    }
    const parsed = bitcoin.parse(bytes, named, digest)
    t.deepEqual(
      parsed.toSign.map(({ message }) => toHex(message)),
      vector.signatures.map(({ sighash }) => sighash),
      name,
    )
    t.is(toHex(signAll(privateKey, parsed)), vector.signedTransaction, name)

    const { outputs, fee } = txOf(parsed)
    t.deepEqual(
      outputs.map(({ address, value }) => ({ address, value })),
      vector.outputs.map(({ address, value }) => ({ address, value })),
      name,
    )
    const sum = (values: { value: string }[]) => values.reduce((all, { value }) => all + Number(value), 0)
    t.is(fee, String(sum(vector.inputs) - sum(vector.outputs)), name)
  }
})

test('all kinds in one transaction, and what is unknown stays where it is', (t) => {
  const psbt = psbtOf(kinds.map((kind) => ({ kind })))
  const odd = [pair(0xfc, hex('01'), hex('05')), pair(0x44, hex('02'), hex('06'))]
  const bytes = writePsbt({
    ...psbt,
    globals: [...odd, ...psbt.globals],
    inputs: psbt.inputs.map((pairs) => [odd[0] as PsbtPair, ...pairs, odd[1] as PsbtPair]),
    outputs: [odd],
  })
  const parsed = parse(bytes)
  t.deepEqual(
    parsed.toSign.map(({ scheme }) => scheme),
    ['ecdsa', 'ecdsa', 'ecdsa', 'ecdsa', 'bip340-taproot'],
  )
  const signed = readPsbt(signAll(KEY, parsed))
  const without = signed.inputs.map((pairs) =>
    pairs.filter(({ type }) => type !== IN.partialSig && type !== IN.tapKeySig),
  )
  t.is(toHex(writePsbt({ ...signed, inputs: without })), toHex(bytes))
  t.deepEqual(
    signed.inputs.map((pairs, i) => pairs.length - (without[i] as PsbtPair[]).length),
    [1, 1, 1, 1, 1],
  )
  t.throws(() => parse(writePsbt(signed)), { message: /signed already/ })
  t.throws(() => parsed.assemble([]))
  t.throws(() => parsed.assemble(Array.from({ length: 5 }, () => new Uint8Array(65))))
})

test('facts', (t) => {
  const odd = hex('6a04deadbeef')
  const outputs = [
    { value: 5n, script: odd },
    { value: 6n, script: own('p2sh')?.script ?? odd },
  ]
  const facts = factsOf(writePsbt(psbtOf([{ kind: 'p2pkh' }], outputs, 500_000_000)))
  t.deepEqual(facts.outputs, [
    { value: '5', script_pubkey: '6a04deadbeef' },
    {
      value: '6',
      script_pubkey: toHex(outputs[1]?.script),
      address: addressOf(outputs[1]?.script ?? odd, networkOf('key'), digest)?.address as string,
      address_type: 'p2sh',
    },
  ])
  t.regex(facts.outputs[1]?.address ?? '', /^3/)
  t.deepEqual(facts.locktime, { amount: 500_000_000, type: 'Seconds' })
  t.is(facts.version, '2')
  t.is(facts.fee, '989')
  t.is(facts.inputs[0]?.sequence, 0xffff_fffd)
  t.deepEqual(factsOf(writePsbt(psbtOf([{ kind: 'p2pkh' }], outputs, 499_999_999))).locktime, {
    amount: 499_999_999,
    type: 'Blocks',
  })
  // As block explorers show it: the bytes in reverse.
  const vector = hex(vectors[0]?.unsignedTransaction ?? '')
  t.is(factsOf(vector).inputs[0]?.tx_id, '62a607cff9fd0ffb8996a6921f85ad65b93a01c52110606c8c2b79563d6d1e4b')
  t.is(factsOf(writePsbt(made({ kind: 'p2pkh' }, { kind: 'p2wpkh', pairs: [] }))).fee, undefined)
})

test('addresses of outputs by network', (t) => {
  const shown = (name: string) =>
    kindScripts.map((script) => addressOf(script ?? foreign, networkOf(name), digest)?.address.slice(0, 5))
  t.deepEqual(shown('key'), ['16fTt', '3LPtW', 'bc1q8', 'bc1q0', 'bc1pg'])
  t.deepEqual(shown('tb1q'), ['mmBRB', '2NBx6', 'tb1q8', 'tb1q0', 'tb1pg'])
  t.deepEqual(shown('mmBRBtySNGYUiqA54XUZKQcXQMLPPQeYk4'), shown('tb1q'))
  t.deepEqual(shown('2NBx6Zz1GVUFb6JrRzJ8GpKKowjFsRCWri5'), shown('tb1q'))
  t.deepEqual(shown('bcrt1q'), ['mmBRB', '2NBx6', 'bcrt1', 'bcrt1', 'bcrt1'])
  t.deepEqual(shown('2d5f7a0e-1d3c-4b6e-9a53-0c1d2e3f4a5b'), shown('key'))
  for (const script of ['', '00', '0014', '0013' + '00'.repeat(19), '5220' + '00'.repeat(32), '6a00']) {
    t.is(addressOf(hex(script), networkOf('key'), digest), undefined)
  }
})

test('broken transactions', (t) => {
  const signable = vectors.filter(({ privateKey, name }) => privateKey === KEY && !name.includes('P2SH-P2WPKH'))
  t.true(signable.length > 10)
  const seeds = [
    ...signable.map((each) => hex(each.unsignedTransaction)),
    writePsbt(psbtOf(kinds.map((kind) => ({ kind })))),
  ]
  fuzz(t, seeds, parse, (bytes) => writePsbt(readPsbt(bytes)))
})
