/**
 * Bitcoin: a PSBT (version 0, BIP-174 and BIP-371) in, the same PSBT with signatures for every input of the key out. It
 * is not finalised, and inputs of other keys are left alone.
 */
import { concatBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { bitcoinFacts } from './bitcoin-facts.ts'
import { ownInputs, spentOutputs, type OwnInput } from './bitcoin-inputs.ts'
import { keyScripts } from './bitcoin-script.ts'
import { sighashes, type Sighashes } from './bitcoin-sighash.ts'
import { writeTransaction, type BitcoinOutput } from './bitcoin-transaction.ts'
import { IN, readPsbt, withPair, writePsbt, type Psbt, type PsbtPair } from './psbt.ts'
import { derSignature } from './signature.ts'
import {
  TransactionError,
  type ParsedTransaction,
  type Signer,
  type ToSign,
  type TransactionFormat,
} from './transaction.ts'

/** Before SegWit each signature hashes the whole transaction; all may hash so much, as 100 inputs and 20 outputs do. */
export const LEGACY_HASH_BYTES_MAX = 524_288
const SIGHASH_ALL = Uint8Array.of(1)

function checkWork({ unsigned }: Psbt, own: readonly OwnInput[]): void {
  const legacy = own.filter(({ kind }) => kind === 'p2pkh' || kind === 'p2sh')
  if (legacy.length * writeTransaction(unsigned).length > LEGACY_HASH_BYTES_MAX) {
    throw new TransactionError('too many inputs from before SegWit for a transaction of this length')
  }
}

function toSign({ kind, index, scriptCode, spent }: OwnInput, hashes: Sighashes, all: BitcoinOutput[]): ToSign {
  if (kind === 'p2tr') return { scheme: 'bip340-taproot', message: hashes.taproot(index, all) }
  const segwit = kind === 'p2wpkh' || kind === 'p2wsh'
  const message = segwit ? hashes.segwit(index, scriptCode, spent.value) : hashes.legacy(index, scriptCode)
  return { scheme: 'ecdsa', message }
}

/** PSBT_IN_TAP_KEY_SIG of 64 bytes, or PSBT_IN_PARTIAL_SIG: DER and the sighash type. */
function signaturePair(pairs: readonly PsbtPair[], { kind }: OwnInput, key: Uint8Array, signature: Uint8Array) {
  if (signature.length !== (kind === 'p2tr' ? 64 : 65)) throw new Error('not the signature that was asked for')
  if (kind === 'p2tr') return withPair(pairs, IN.tapKeySig, new Uint8Array(0), signature)
  return withPair(pairs, IN.partialSig, key, concatBytes(derSignature(signature), SIGHASH_ALL))
}

function assemble(psbt: Psbt, own: readonly OwnInput[], key: Uint8Array, signatures: Uint8Array[]): Uint8Array {
  if (signatures.length !== own.length) throw new Error('not the signatures that were asked for')
  const inputs = [...psbt.inputs]
  own.forEach((input, i) => {
    inputs[input.index] = signaturePair(inputs[input.index] as PsbtPair[], input, key, signatures[i] as Uint8Array)
  })
  return writePsbt({ ...psbt, inputs })
}

export const bitcoin: TransactionFormat = {
  curve: 'secp256k1',
  parse(bytes: Uint8Array, signer: Signer, digest: Digest): ParsedTransaction {
    const psbt = readPsbt(bytes)
    const keys = keyScripts(signer, digest)
    const spent = spentOutputs(psbt, digest)
    const own = ownInputs(psbt, spent, keys)
    checkWork(psbt, own)
    const hashes = sighashes(psbt.unsigned, digest)
    // With a taproot input of the key all are known; nothing else looks at them.
    const known = spent.filter((output) => output !== undefined)
    return {
      facts: { bitcoin: { tx: bitcoinFacts(psbt.unsigned, spent, signer.name, digest) } },
      toSign: own.map((input) => toSign(input, hashes, known)),
      assemble: (signatures) => assemble(psbt, own, keys.key, signatures),
    }
  },
}
