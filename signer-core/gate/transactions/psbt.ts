/**
 * Partially signed Bitcoin transactions, version 0 (BIP-174): maps of pairs, kept byte for byte and in their order, so
 * that what we do not know stays as it came.
 */
import { bytesToHex, concatBytes, equalBytes } from '../../protocol/bytes.ts'
import { readCompactSize, readUnsigned, withSize, type BitcoinTransaction } from './bitcoin-transaction.ts'
import { TransactionError } from './transaction.ts'
import { ByteReader, checkLength, checkSame, joinBytes } from './wire.ts'

export interface PsbtPair {
  type: number
  /** With the type in front. */
  key: Uint8Array
  value: Uint8Array
}

export interface Psbt {
  /** PSBT_GLOBAL_UNSIGNED_TX. */
  unsigned: BitcoinTransaction
  globals: PsbtPair[]
  /** One for each input and output of the unsigned transaction. */
  inputs: PsbtPair[][]
  outputs: PsbtPair[][]
}

/** Most pairs in all maps together. */
export const PSBT_PAIRS_MAX = 4_096
export const PSBT_INPUTS_MAX = 256
export const PSBT_OUTPUTS_MAX = 256

/** Names of input pairs (BIP-174, BIP-371). */
export const IN = {
  nonWitnessUtxo: 0x00,
  witnessUtxo: 0x01,
  partialSig: 0x02,
  sighashType: 0x03,
  redeemScript: 0x04,
  witnessScript: 0x05,
  finalScriptSig: 0x07,
  finalScriptWitness: 0x08,
  tapKeySig: 0x13,
  tapScriptSig: 0x14,
  tapLeafScript: 0x15,
  tapInternalKey: 0x17,
  tapMerkleRoot: 0x18,
} as const

const UNSIGNED_TX = 0x00
const VERSION = 0xfb
const MAGIC = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff)

/** Types whose key is the type alone, and types that belong to version 2 (BIP-370), which version 0 must not have. */
const rules = {
  globals: { bare: [UNSIGNED_TX, VERSION], version2: [0x02, 0x03, 0x04, 0x05, 0x06] },
  input: {
    bare: [0x00, 0x01, 0x03, 0x04, 0x05, 0x07, 0x08, 0x09, 0x13, 0x17, 0x18],
    version2: [0x0e, 0x0f, 0x10, 0x11, 0x12],
  },
  output: { bare: [0x00, 0x01, 0x05, 0x06], version2: [0x03, 0x04] },
}

/** @throws {TransactionError} unless the bytes are one PSBT of version 0 whose transaction nobody has signed. */
export function readPsbt(bytes: Uint8Array): Psbt {
  checkLength(bytes)
  const reader = new ByteReader(bytes)
  if (bytes.length < MAGIC.length || !equalBytes(reader.take(MAGIC.length), MAGIC)) {
    throw new TransactionError('the bytes are no PSBT')
  }
  const budget = { pairs: PSBT_PAIRS_MAX }
  const globals = readMap(reader, rules.globals, budget)
  const unsigned = unsignedOf(globals)
  const inputs = unsigned.inputs.map(() => readMap(reader, rules.input, budget))
  const outputs = unsigned.outputs.map(() => readMap(reader, rules.output, budget))
  reader.end()
  const psbt = { unsigned, globals, inputs, outputs }
  checkSame(writePsbt(psbt), bytes)
  return psbt
}

function readMap(reader: ByteReader, rule: { bare: number[]; version2: number[] }, budget: { pairs: number }) {
  const pairs: PsbtPair[] = []
  const seen = new Set<string>()
  for (let length = readCompactSize(reader); length > 0; length = readCompactSize(reader)) {
    if (budget.pairs-- === 0) throw new TransactionError('too many pairs in the PSBT')
    const key = reader.take(length)
    const value = reader.take(readCompactSize(reader))
    const typeReader = new ByteReader(key)
    const type = readCompactSize(typeReader)
    if (rule.version2.includes(type)) throw new TransactionError('PSBTs of version 2 are not offered')
    if (rule.bare.includes(type) && !typeReader.atEnd) throw new TransactionError('a PSBT key that is too long')
    pairs.push({ type, key, value })
    seen.add(bytesToHex(key))
  }
  if (seen.size !== pairs.length) throw new TransactionError('a PSBT key twice in one map')
  return pairs
}

function unsignedOf(globals: PsbtPair[]): BitcoinTransaction {
  const version = valueOf(globals, VERSION)
  if (version !== undefined && !equalBytes(version, new Uint8Array(4))) {
    throw new TransactionError('PSBTs of this version are not offered')
  }
  const encoded = valueOf(globals, UNSIGNED_TX)
  if (encoded === undefined) throw new TransactionError('the PSBT has no unsigned transaction')
  const unsigned = readUnsigned(encoded)
  const { inputs, outputs } = unsigned
  if (outputs.length === 0) throw new TransactionError('a transaction without output')
  if (inputs.length > PSBT_INPUTS_MAX) throw new TransactionError(`more than ${PSBT_INPUTS_MAX} inputs`)
  if (outputs.length > PSBT_OUTPUTS_MAX) throw new TransactionError(`more than ${PSBT_OUTPUTS_MAX} outputs`)
  if (inputs.some(({ scriptSig }) => scriptSig.length > 0)) {
    throw new TransactionError('the unsigned transaction of the PSBT is signed')
  }
  if (new Set(inputs.map(({ outpoint }) => bytesToHex(outpoint))).size !== inputs.length) {
    throw new TransactionError('an output spent twice')
  }
  return unsigned
}

export function writePsbt({ globals, inputs, outputs }: Omit<Psbt, 'unsigned'>): Uint8Array {
  const maps = [globals, ...inputs, ...outputs].map((pairs) =>
    joinBytes([...pairs.flatMap(({ key, value }) => [withSize(key), withSize(value)]), Uint8Array.of(0)]),
  )
  return joinBytes([MAGIC, ...maps])
}

/** Of a type whose key is the type alone. */
export function valueOf(pairs: readonly PsbtPair[], type: number): Uint8Array | undefined {
  return pairs.find((pair) => pair.type === type)?.value
}

/** Puts a pair before the first with a greater key: where a PSBT in order, as libraries write it, has it. */
export function withPair(pairs: readonly PsbtPair[], type: number, keyData: Uint8Array, value: Uint8Array): PsbtPair[] {
  const key = concatBytes(Uint8Array.of(type), keyData)
  const text = bytesToHex(key)
  const at = pairs.findIndex((pair) => bytesToHex(pair.key) > text)
  return pairs.toSpliced(at < 0 ? pairs.length : at, 0, { type, key, value })
}
