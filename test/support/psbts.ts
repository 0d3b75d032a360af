/** PSBTs made for tests: what one key spends, of every kind, and what is planted into it. */
import { bitcoin } from '../../signer-core/gate/transactions/bitcoin.ts'
import { keyScripts, type OutputKind } from '../../signer-core/gate/transactions/bitcoin-script.ts'
import {
  transactionId,
  writeOutput,
  writeTransaction,
  type BitcoinTransaction,
} from '../../signer-core/gate/transactions/bitcoin-transaction.ts'
import { IN, writePsbt, type Psbt, type PsbtPair } from '../../signer-core/gate/transactions/psbt.ts'
import { digest, hex, joined, signerOf } from './transactions.ts'

export interface BitcoinFacts {
  version: string
  inputs: { tx_id: string; vout: number; sequence: number }[]
  outputs: { value: string; script_pubkey: string; address?: string; address_type?: string }[]
  locktime: { amount: number; type: string }
  fee?: string
}
export const KEY = '51a10eee8cf6fc07b8a4c3552e66c0655b6570675c0bffff522fb602ae20cc1c'
export const signer = signerOf('secp256k1', KEY)
export const scripts = keyScripts(signer, digest)
export const parse = (bytes: Uint8Array) => bitcoin.parse(bytes, signer, digest)
export const txOf = (parsed: ReturnType<typeof parse>) => (parsed.facts.bitcoin as unknown as { tx: BitcoinFacts }).tx
export const factsOf = (bytes: Uint8Array) => txOf(parse(bytes))
export const toHex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

export interface Made {
  kind: OutputKind
  value?: bigint
  script?: Uint8Array
  /** Instead of what the kind needs. */
  pairs?: PsbtPair[]
}

export const pair = (type: number, value: Uint8Array, keyData: Uint8Array = new Uint8Array(0)): PsbtPair => ({
  type,
  key: joined(Uint8Array.of(type), keyData),
  value,
})
export const own = (kind: OutputKind) => scripts.outputs.find((output) => output.kind === kind)
export const foreign = hex(`0014${'07'.repeat(20)}`)
export const emptyInput = (outpoint: Uint8Array) => ({
  outpoint,
  vout: 0,
  scriptSig: new Uint8Array(0),
  sequence: 0xffff_fffd,
})

/** A PSBT that spends these outputs, each the only one of its transaction. */
export function psbtOf(made: Made[], outputs = [{ value: 900n, script: foreign }], locktime = 0): Psbt {
  const before = made.map(({ kind, value = 1000n, script }, i): BitcoinTransaction => {
    const output = { value, script: script ?? own(kind)?.script ?? foreign }
    return { version: i, inputs: [emptyInput(new Uint8Array(36))], outputs: [output], locktime: 0 }
  })
  const unsigned = {
    version: 2,
    inputs: before.map((transaction) => emptyInput(joined(transactionId(transaction, digest), new Uint8Array(4)))),
    outputs,
    locktime,
  }
  return {
    unsigned,
    globals: [pair(0x00, writeTransaction(unsigned))],
    inputs: made.map(({ kind, pairs }, i) => pairs ?? pairsOf(kind, before[i] as BitcoinTransaction)),
    outputs: outputs.map(() => []),
  }
}

export function pairsOf(kind: OutputKind, before: BitcoinTransaction): PsbtPair[] {
  const inner = own(kind)?.inner ?? new Uint8Array(0)
  const whole = pair(IN.nonWitnessUtxo, writeTransaction(before))
  const single = pair(IN.witnessUtxo, writeOutput(before.outputs[0] as BitcoinTransaction['outputs'][number]))
  if (kind === 'p2pkh') return [whole]
  if (kind === 'p2sh') return [whole, pair(IN.redeemScript, inner)]
  if (kind === 'p2wsh') return [single, pair(IN.witnessScript, inner)]
  return [single]
}

export const made = (...inputs: Made[]) => psbtOf(inputs)
export const withInput = (psbt: Psbt, change: (pairs: PsbtPair[]) => PsbtPair[], at = 0) =>
  writePsbt({ ...psbt, inputs: psbt.inputs.with(at, change(psbt.inputs[at] as PsbtPair[])) })
export const plus = (psbt: Psbt, ...more: PsbtPair[]) => withInput(psbt, (pairs) => [...pairs, ...more])
export const kinds: OutputKind[] = ['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr']

export const kindScripts = kinds.map((kind) => own(kind)?.script)
