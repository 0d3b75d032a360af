/** The PSBT itself: one planted fault per rule, limits at their edges. */
import test from 'ava'
import { LEGACY_HASH_BYTES_MAX } from '../../../signer-core/gate/transactions/bitcoin.ts'
import {
  MONEY_MAX,
  writeTransaction,
  type BitcoinTransaction,
} from '../../../signer-core/gate/transactions/bitcoin-transaction.ts'
import {
  IN,
  PSBT_INPUTS_MAX,
  PSBT_OUTPUTS_MAX,
  PSBT_PAIRS_MAX,
  readPsbt,
  writePsbt,
  type Psbt,
  type PsbtPair,
} from '../../../signer-core/gate/transactions/psbt.ts'
import { foreign, kindScripts, made, pair, parse, plus, psbtOf } from '../../support/psbts.ts'
import { hex, joined, readsWithBoundedWork, refusals } from '../../support/transactions.ts'

test('the PSBT: one fault each', (t) => {
  const psbt = made({ kind: 'p2wpkh' })
  const bytes = writePsbt(psbt)
  const [tx] = psbt.globals as [PsbtPair]
  const withGlobals = (...pairs: PsbtPair[]) => writePsbt({ ...psbt, globals: [tx, ...pairs] })
  const withTx = (value: Uint8Array) => writePsbt({ ...psbt, globals: [{ ...tx, value }] })
  const unsigned = (change: Partial<BitcoinTransaction>) => withTx(writeTransaction({ ...psbt.unsigned, ...change }))
  const [input] = psbt.unsigned.inputs as [BitcoinTransaction['inputs'][number]]
  const rest = bytes.subarray(5)
  refusals(t, parse, bytes, [
    ['nothing', hex(''), /no bytes/],
    ['four bytes', bytes.slice(0, 4), /no PSBT/],
    ['another magic', joined(hex('70736274fe'), rest), /no PSBT/],
    ['bytes behind', joined(bytes, Uint8Array.of(0)), /bytes after/],
    ['an end missing', bytes.slice(0, -1), /end too early/],
    ['no transaction', writePsbt({ ...psbt, globals: [] }), /no unsigned transaction/],
    ['a key twice', withGlobals(tx), /key twice/],
    ['a key twice in an input', plus(psbt, psbt.inputs[0]?.[0] as PsbtPair), /key twice/],
    ['key data where none belongs', withGlobals(pair(0x00, hex('00'), hex('01'))), /key that is too long/],
    ['key data behind a UTXO', plus(psbt, pair(IN.witnessUtxo, hex('00'), hex('01'))), /key that is too long/],
    ['version 2', withGlobals(pair(0xfb, hex('02000000'))), /this version/],
    ['a short version', withGlobals(pair(0xfb, hex('00'))), /this version/],
    ['a global field of version 2', withGlobals(pair(0x04, hex('01'))), /version 2/],
    ['an input field of version 2', plus(psbt, pair(0x0e, new Uint8Array(32))), /version 2/],
    ['an output field of version 2', writePsbt({ ...psbt, outputs: [[pair(0x03, hex('01'))]] }), /version 2/],
    ['a length in three bytes', joined(bytes.slice(0, 5), hex('fd0100'), bytes.slice(6)), /not minimal/],
    ['a length in five bytes', joined(bytes.slice(0, 5), hex('fe01000000'), bytes.slice(6)), /not minimal/],
    ['a length in nine bytes', joined(bytes.slice(0, 5), hex('ff0100000000000000'), bytes.slice(6)), /all limits/],
    ['a length of 2^32 - 1', joined(bytes.slice(0, 5), hex('feffffffff'), bytes.slice(6)), /end too early/],
    ['signed', unsigned({ inputs: [{ ...input, scriptSig: hex('51') }] }), /is signed/],
    [
      'with witness',
      withTx(joined(tx.value.slice(0, 4), hex('0001'), tx.value.slice(4))),
      /without inputs, or with witness/,
    ],
    [
      'no inputs',
      writePsbt({ ...psbt, inputs: [], globals: [pair(0, writeTransaction({ ...psbt.unsigned, inputs: [] }))] }),
      /without inputs, or with witness/,
    ],
    ['no outputs', unsigned({ outputs: [] }), /without output/],
    ['bytes behind the transaction', withTx(joined(tx.value, Uint8Array.of(0))), /bytes after/],
    ['an output spent twice', unsigned({ inputs: [input, input] }), /spent twice/],
    ['an input map missing', writePsbt({ ...psbt, inputs: [] }), /end too early/],
    ['an input map more', writePsbt({ ...psbt, inputs: [...psbt.inputs, []] }), /bytes after/],
    [
      'an output above all money',
      unsigned({ outputs: [{ value: MONEY_MAX + 1n, script: foreign }] }),
      /an output above all/,
    ],
  ])
  t.notThrows(() => parse(withGlobals(pair(0xfb, hex('00000000')))))
})

test('limits', (t) => {
  const edge = (make: (count: number) => Psbt, max: number, message: RegExp) => {
    t.notThrows(() => readPsbt(writePsbt(make(max))), String(message))
    t.throws(() => readPsbt(writePsbt(make(max + 1))), { message })
  }
  const spending = (count: number) => psbtOf(Array.from({ length: count }, () => ({ kind: 'p2wpkh' })))
  const paying = (count: number) =>
    psbtOf(
      [{ kind: 'p2wpkh' }],
      Array.from({ length: count }, () => ({ value: 1n, script: foreign })),
    )
  const telling = (count: number) => {
    const psbt = made({ kind: 'p2wpkh' })
    const pairs = Array.from({ length: count - 2 }, (_, i) => pair(0xfc, hex(''), Uint8Array.of(i >> 8, i & 255)))
    return { ...psbt, outputs: [pairs] }
  }
  edge(spending, PSBT_INPUTS_MAX, /more than 256 inputs/)
  edge(paying, PSBT_OUTPUTS_MAX, /more than 256 outputs/)
  edge(telling, PSBT_PAIRS_MAX, /too many pairs/)

  const legacy = (count: number, outputBytes: number) =>
    writePsbt(
      psbtOf(
        Array.from({ length: count }, () => ({ kind: 'p2pkh' })),
        [{ value: 1n, script: new Uint8Array(outputBytes) }],
      ),
    )
  // For 100 inputs: at most 5242 bytes of transaction.
  const length = (bytes: Uint8Array) => writeTransaction(readPsbt(bytes).unsigned).length
  const most = Math.floor(LEGACY_HASH_BYTES_MAX / 100) - length(legacy(100, 1000)) + 1000
  t.notThrows(() => parse(legacy(100, most)))
  t.throws(() => parse(legacy(100, most + 1)), { message: /too many inputs from before SegWit/ })
  readsWithBoundedWork(t, parse, 'legacy inputs', legacy(100, most))
})

test('the largest that is allowed asks for bounded work', (t) => {
  const outputs = Array.from({ length: PSBT_OUTPUTS_MAX }, (_, i) => ({
    value: 1n,
    script: kindScripts[i % 5] as Uint8Array,
  }))
  for (const kind of ['p2wpkh', 'p2wsh', 'p2tr'] as const) {
    const inputs = Array.from({ length: PSBT_INPUTS_MAX }, () => ({ kind }))
    readsWithBoundedWork(t, parse, `256 ${kind}, 256 outputs`, writePsbt(psbtOf(inputs, outputs)))
  }
  const huge = made({ kind: 'p2wpkh' })
  readsWithBoundedWork(t, parse, 'one long value', plus(huge, pair(0xfc, new Uint8Array(130_000), hex('05'))))
})
