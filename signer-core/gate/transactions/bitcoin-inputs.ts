/** Which inputs of a PSBT are the key's, and the rules that each of them must keep before it is signed. */
import { equalBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import type { KeyOutput, KeyScripts, OutputKind } from './bitcoin-script.ts'
import { readOutput, readSigned, transactionId, type BitcoinInput, type BitcoinOutput } from './bitcoin-transaction.ts'
import { IN, valueOf, type Psbt, type PsbtPair } from './psbt.ts'
import { TransactionError } from './transaction.ts'
import { ByteReader } from './wire.ts'

export interface OwnInput extends KeyOutput {
  index: number
  spent: BitcoinOutput
}

/** Where the output that is spent must stand, and where the script that it is the hash of. */
const places: Record<OutputKind, { utxo: number; inner?: number }> = {
  p2pkh: { utxo: IN.nonWitnessUtxo },
  p2sh: { utxo: IN.nonWitnessUtxo, inner: IN.redeemScript },
  p2wpkh: { utxo: IN.witnessUtxo },
  p2wsh: { utxo: IN.witnessUtxo, inner: IN.witnessScript },
  p2tr: { utxo: IN.witnessUtxo },
}

/**
 * The outputs that the inputs spend, as far as the PSBT tells. Those of whole transactions are proven by their id.
 * Those of PSBT_IN_WITNESS_UTXO are claims: BIP-341 signs all of them, BIP-143 only the one of its own input, so that
 * a fee is certain only when every input but one is proven or the key signs a taproot input.
 * @throws {TransactionError} for a claim that contradicts a proof.
 */
export function spentOutputs({ unsigned, inputs }: Psbt, digest: Digest): (BitcoinOutput | undefined)[] {
  return unsigned.inputs.map((input, i) => {
    const pairs = inputs[i] as PsbtPair[]
    const proven = provenOutput(input, valueOf(pairs, IN.nonWitnessUtxo), digest)
    const claimed = claimedOutput(valueOf(pairs, IN.witnessUtxo))
    if (proven === undefined || claimed === undefined) return proven ?? claimed
    if (proven.value !== claimed.value || !equalBytes(proven.script, claimed.script)) {
      throw new TransactionError('the two outputs that the PSBT names for one input differ')
    }
    return proven
  })
}

function provenOutput(
  { outpoint, vout }: BitcoinInput,
  whole: Uint8Array | undefined,
  digest: Digest,
): BitcoinOutput | undefined {
  if (whole === undefined) return undefined
  const transaction = readSigned(whole)
  if (!equalBytes(transactionId(transaction, digest), outpoint.subarray(0, 32))) {
    throw new TransactionError('a non-witness UTXO that is not the transaction its input names')
  }
  const output = transaction.outputs[vout]
  if (output === undefined) throw new TransactionError('an input that spends an output which does not exist')
  return output
}

function claimedOutput(encoded: Uint8Array | undefined): BitcoinOutput | undefined {
  if (encoded === undefined) return undefined
  const reader = new ByteReader(encoded)
  const output = readOutput(reader)
  reader.end()
  return output
}

/** @throws {TransactionError} when there is none, or one that breaks a rule. */
export function ownInputs({ inputs }: Psbt, spent: (BitcoinOutput | undefined)[], keys: KeyScripts): OwnInput[] {
  const own = inputs.flatMap((pairs, index): OwnInput[] => {
    const output = spent[index]
    if (output === undefined) return []
    const match = keys.outputs.find(({ script }) => equalBytes(script, output.script))
    if (match === undefined) {
      checkForeign(pairs, output, keys)
      return []
    }
    checkOwn(pairs, match, keys.key)
    return [{ ...match, index, spent: output }]
  })
  if (own.length === 0) throw new TransactionError('no input of the transaction belongs to the key')
  if (own.some(({ kind }) => kind === 'p2tr') && spent.includes(undefined)) {
    throw new TransactionError('a taproot signature needs the spent outputs of all inputs')
  }
  return own
}

/** Inputs of the key that are not offered must not pass for somebody else's. */
function checkForeign(pairs: readonly PsbtPair[], { script }: BitcoinOutput, keys: KeyScripts): void {
  if (keys.wrapped.some((wrapped) => equalBytes(wrapped, script))) {
    throw new TransactionError('SegWit inputs wrapped in P2SH are not offered')
  }
  const internalKey = valueOf(pairs, IN.tapInternalKey)
  if (internalKey !== undefined && equalBytes(internalKey, keys.key.subarray(1))) {
    throw new TransactionError('taproot outputs with a script tree are not offered')
  }
}

function checkOwn(pairs: readonly PsbtPair[], { kind, inner }: KeyOutput, key: Uint8Array): void {
  const { utxo, inner: innerType } = places[kind]
  const has = (type: number) => pairs.some((pair) => pair.type === type)
  const [otherUtxo] = [IN.nonWitnessUtxo, IN.witnessUtxo].filter((type) => type !== utxo)
  if (!has(utxo) || has(otherUtxo as number)) {
    throw new TransactionError('legacy inputs need a non-witness UTXO only, SegWit inputs a witness UTXO only')
  }
  for (const type of [IN.redeemScript, IN.witnessScript]) {
    const expected = type === innerType ? inner : undefined
    const given = valueOf(pairs, type)
    if (given === expected) continue
    if (given === undefined || expected === undefined || !equalBytes(given, expected)) {
      throw new TransactionError('redeem script or witness script missing, of another key, or where none belongs')
    }
  }
  const sighash = valueOf(pairs, IN.sighashType)
  if (sighash !== undefined && !equalBytes(sighash, Uint8Array.of(kind === 'p2tr' ? 0 : 1, 0, 0, 0))) {
    throw new TransactionError('only SIGHASH_ALL, and SIGHASH_DEFAULT for taproot, are offered')
  }
  const signed = pairs.some((pair) => pair.type === IN.partialSig && equalBytes(pair.key.subarray(1), key))
  if (signed || [IN.finalScriptSig, IN.finalScriptWitness, IN.tapKeySig].some(has)) {
    throw new TransactionError('an input of the key is signed already')
  }
  if (kind !== 'p2tr') return
  if ([IN.tapScriptSig, IN.tapLeafScript, IN.tapMerkleRoot].some(has)) {
    throw new TransactionError('taproot script paths are not offered')
  }
  const internalKey = valueOf(pairs, IN.tapInternalKey)
  if (internalKey !== undefined && !equalBytes(internalKey, key.subarray(1))) {
    throw new TransactionError('a taproot internal key that is not the signing key')
  }
}
