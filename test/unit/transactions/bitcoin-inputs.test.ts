/** The inputs of a PSBT: one planted fault per rule. */
import test from 'ava'
import { bitcoin } from '../../../signer-core/gate/transactions/bitcoin.ts'
import { MONEY_MAX, writeOutput, writeTransaction } from '../../../signer-core/gate/transactions/bitcoin-transaction.ts'
import { IN, writePsbt, type PsbtPair } from '../../../signer-core/gate/transactions/psbt.ts'
import {
  factsOf,
  foreign,
  KEY,
  kinds,
  made,
  own,
  pair,
  parse,
  plus,
  psbtOf,
  scripts,
  signer,
  toHex,
  withInput,
} from '../../support/psbts.ts'
import { digest, hex, joined, refusals, signerOf } from '../../support/transactions.ts'

test('own inputs: the right UTXO and the right scripts', (t) => {
  for (const kind of kinds) {
    const psbt = made({ kind })
    const bytes = writePsbt(psbt)
    const [needed, odd] = kind === 'p2pkh' || kind === 'p2sh' ? [0, 1] : [1, 0]
    const both = kinds.indexOf(kind) < 2 ? 'p2wpkh' : 'p2pkh'
    const other = psbtOf([{ kind: both, script: own(kind)?.script as Uint8Array }]).inputs[0] as PsbtPair[]
    const otherUtxo = other.filter(({ type }) => type === odd)
    const changed = (change: (pairs: PsbtPair[]) => PsbtPair[]) => withInput(psbt, change)
    const without = (type: number) => changed((pairs) => pairs.filter((each) => each.type !== type))
    const faults: [string, Uint8Array, RegExp][] = [
      ['no UTXO', without(needed), /no input of the transaction/],
      ['only the other UTXO', withInput(psbt, (pairs) => [...pairs.slice(1), ...otherUtxo]), /legacy inputs need/],
      ['both UTXOs', changed((pairs) => [...pairs, ...otherUtxo]), /legacy inputs need/],
      ['sighash NONE', plus(psbt, pair(IN.sighashType, hex('02000000'))), /only SIGHASH_ALL/],
      ['sighash ALL|ANYONECANPAY', plus(psbt, pair(IN.sighashType, hex('81000000'))), /only SIGHASH_ALL/],
      ['a short sighash', plus(psbt, pair(IN.sighashType, hex('01'))), /only SIGHASH_ALL/],
      ['final script', plus(psbt, pair(IN.finalScriptSig, hex('51'))), /signed already/],
      ['final witness', plus(psbt, pair(IN.finalScriptWitness, hex('00'))), /signed already/],
      ['signed', plus(psbt, pair(IN.partialSig, hex('30'), scripts.key)), /signed already/],
    ]
    for (const type of [IN.redeemScript, IN.witnessScript]) {
      const has = psbt.inputs[0]?.some((each) => each.type === type) === true
      const wrong = pair(type, hex('51'))
      const replaced = changed((pairs) => [...pairs.filter((each) => each.type !== type), wrong])
      faults.push(['a wrong script', replaced, /redeem script or witness script/])
      if (has) faults.push(['no script', without(type), /redeem script or witness script/])
    }
    refusals(t, parse, bytes, faults)
    const fitting = hex(kind === 'p2tr' ? '00000000' : '01000000')
    const unfitting = hex(kind === 'p2tr' ? '01000000' : '00000000')
    t.notThrows(() => parse(plus(psbt, pair(IN.sighashType, fitting))), kind)
    t.throws(() => parse(plus(psbt, pair(IN.sighashType, unfitting))), { message: /only SIGHASH_ALL/ }, kind)
  }
})

test('own inputs: taproot, wrapped, of somebody else', (t) => {
  const psbt = made({ kind: 'p2tr' })
  const x = scripts.key.subarray(1)
  refusals(t, parse, plus(psbt, pair(IN.tapInternalKey, x)), [
    ['signed', plus(psbt, pair(IN.tapKeySig, new Uint8Array(64))), /signed already/],
    ['script signature', plus(psbt, pair(IN.tapScriptSig, hex('01'), new Uint8Array(64))), /script paths/],
    ['leaf', plus(psbt, pair(IN.tapLeafScript, hex('51c0'), new Uint8Array(33))), /script paths/],
    ['merkle root', plus(psbt, pair(IN.tapMerkleRoot, new Uint8Array(32))), /script paths/],
    ['another internal key', plus(psbt, pair(IN.tapInternalKey, new Uint8Array(32))), /internal key that is not/],
    ['prevout unknown', writePsbt(made({ kind: 'p2tr' }, { kind: 'p2wpkh', pairs: [] })), /outputs of all inputs/],
  ])
  const tree = made({ kind: 'p2wpkh' }, { kind: 'p2tr', script: hex(`5120${'09'.repeat(32)}`) })
  t.is(parse(writePsbt(tree)).toSign.length, 1)
  const withTree = withInput(tree, (pairs) => [...pairs, pair(IN.tapInternalKey, x)], 1)
  t.throws(() => parse(withTree), { message: /script tree/ })
  for (const script of scripts.wrapped) {
    t.throws(() => parse(writePsbt(made({ kind: 'p2wpkh' }, { kind: 'p2wpkh', script }))), { message: /wrapped/ })
  }
  t.throws(() => parse(writePsbt(made({ kind: 'p2wpkh', script: foreign }))), {
    message: /no input of the transaction/,
  })
  const withoutTaproot = { ...signer, taprootOutputKey: undefined }
  t.throws(() => bitcoin.parse(writePsbt(psbt), withoutTaproot, digest), { message: /no input of the transaction/ })
  t.throws(() => bitcoin.parse(writePsbt(psbt), signerOf('ed25519', KEY), digest), { message: /secp256k1/ })
  // Another key's signature or final script is none of our business.
  const finished = withInput(tree, (pairs) => [...pairs, pair(IN.finalScriptWitness, hex('00'))], 1)
  t.is(parse(finished).toSign.length, 1)
})

test('spent outputs must be true', (t) => {
  const psbt = made({ kind: 'p2pkh' })
  const [whole] = psbt.inputs[0] as [PsbtPair]
  const given = (value: Uint8Array) => withInput(psbt, () => [{ ...whole, value }])
  const single = (script: string) => withInput(made({ kind: 'p2wpkh' }), () => [pair(IN.witnessUtxo, hex(script))])
  const { unsigned } = psbt
  const far = {
    ...unsigned,
    inputs: unsigned.inputs.map((input) => ({ ...input, outpoint: input.outpoint.with(32, 1) })),
  }
  refusals(t, parse, writePsbt(psbt), [
    ['another transaction', given(whole.value.with(0, 9)), /not the transaction its input names/],
    [
      'an output that is not there',
      writePsbt({ ...psbt, globals: [pair(0, writeTransaction(far))] }),
      /does not exist/,
    ],
    ['bytes behind', given(joined(whole.value, Uint8Array.of(0))), /bytes after/],
    ['cut', given(whole.value.slice(0, -1)), /end too early/],
    ['bytes behind an output', single(`e80300000000000016${toHex(own('p2wpkh')?.script)}00`), /bytes after/],
    ['a length in three bytes', single(`e803000000000000fd1600${toHex(own('p2wpkh')?.script)}`), /not minimal/],
    ['a cut output', single('e803'), /end too early/],
    ['too much money', writePsbt(made({ kind: 'p2wpkh', value: MONEY_MAX + 1n })), /an output above all/],
    [
      'too much in all',
      writePsbt(made({ kind: 'p2wpkh', value: MONEY_MAX }, { kind: 'p2wsh', value: 1n })),
      /all the money/,
    ],
    ['more out than in', writePsbt(made({ kind: 'p2wpkh', value: 899n })), /more is paid out/],
  ])
  t.is(factsOf(writePsbt(made({ kind: 'p2wpkh', value: 900n }))).fee, '0')

  // With witness (BIP-144): the id is that of the transaction without it.
  const [inputs, tail] = [whole.value.subarray(4, 46), whole.value.subarray(46)]
  const witness = joined(
    whole.value.subarray(0, 4),
    hex('0001'),
    inputs,
    tail.slice(0, -4),
    hex('0101aa'),
    hex('00000000'),
  )
  t.notThrows(() => parse(given(witness)))

  // Of somebody else's input both may be there, and must agree.
  const mixed = made({ kind: 'p2wpkh' }, { kind: 'p2pkh', script: foreign })
  const claim = (value: bigint) =>
    withInput(mixed, (pairs) => [...pairs, pair(IN.witnessUtxo, writeOutput({ value, script: foreign }))], 1)
  t.notThrows(() => parse(claim(1000n)))
  t.throws(() => parse(claim(1001n)), { message: /differ/ })
})
