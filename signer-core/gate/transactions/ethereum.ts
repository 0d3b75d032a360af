/**
 * Unsigned Ethereum transactions: legacy with and without chain id (EIP-155), and the typed ones (EIP-2718) that the
 * table below names. What is hashed is what was submitted; what is signed already, or has anything added, is refused.
 */
import { concatBytes } from '../../protocol/bytes.ts'
import type { JsonValue } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { ethereumFields, hex, type EthereumField } from './ethereum-fields.ts'
import { bigEndian, readRlp, writeRlp, type RlpItem } from './rlp.ts'
import { onlySignature, recoverable, withoutLeadingZeros, type RecoverableSignature } from './signature.ts'
import { accountOf } from './signer-key.ts'
import { TransactionError, type ParsedTransaction, type Signer, type TransactionFormat } from './transaction.ts'
import { checkLength, checkSame } from './wire.ts'

interface Layout {
  /** `eth.tx.type` of the policy language. */
  name: string
  fields: readonly EthereumField[]
  /** No contract creation. */
  toRequired?: true
}

const FEES_1559 = ['chain_id', 'nonce', 'max_priority_fee_per_gas', 'max_fee_per_gas'] as const
const CALL = ['gas', 'to', 'value', 'data'] as const

const legacy: Layout = { name: 'LEGACY', fields: ['nonce', 'gas_price', ...CALL] }
const layouts: Readonly<Record<number, Layout>> = {
  // EIP-2930
  1: { name: 'TYPE_1', fields: ['chain_id', 'nonce', 'gas_price', ...CALL, 'access_list'] },
  // EIP-1559
  2: { name: 'TYPE_2', fields: [...FEES_1559, ...CALL, 'access_list'] },
  // EIP-4844, without blobs, commitments and proofs: they are not signed
  3: {
    name: 'TYPE_3',
    fields: [...FEES_1559, ...CALL, 'access_list', 'max_fee_per_blob_gas', 'blob_versioned_hashes'],
    toRequired: true,
  },
  // EIP-7702
  4: { name: 'TYPE_4', fields: [...FEES_1559, ...CALL, 'access_list', 'authorization_list'], toRequired: true },
}

interface EthereumTransaction {
  /** undefined: legacy. */
  type: number | undefined
  layout: Layout
  /** One for each field of the layout. */
  items: readonly RlpItem[]
  /** The values of EIP-155 behind the fields of a legacy transaction; none elsewhere. */
  tail: readonly RlpItem[]
}

/** @throws {TransactionError} */
export function readEthereum(bytes: Uint8Array): EthereumTransaction {
  checkLength(bytes)
  const first = bytes[0] as number
  if (first >= 0xc0) return readLegacy(rlpList(bytes))
  if (first >= 0x80) throw new TransactionError('neither a legacy nor a typed Ethereum transaction')
  const layout = layouts[first]
  if (layout === undefined) throw new TransactionError('Ethereum transactions of this type are not offered')
  const items = rlpList(bytes.subarray(1))
  if (items.length !== layout.fields.length) {
    throw new TransactionError('not the fields of an unsigned transaction of this type')
  }
  return { type: first, layout, items, tail: [] }
}

function readLegacy(items: readonly RlpItem[]): EthereumTransaction {
  const count = legacy.fields.length
  const tail = items.slice(count)
  const hasChainId = tail.length === 3 && tail.slice(1).every((item) => item instanceof Uint8Array && item.length === 0)
  if (items.length !== count && !hasChainId) {
    throw new TransactionError('not the fields of an unsigned legacy transaction')
  }
  return { type: undefined, layout: legacy, items: items.slice(0, count), tail }
}

function rlpList(bytes: Uint8Array): readonly RlpItem[] {
  const item = readRlp(bytes)
  if (item instanceof Uint8Array) throw new TransactionError('the transaction is not an RLP list')
  return item
}

export function writeEthereum({ type, items, tail }: EthereumTransaction): Uint8Array {
  return concatBytes(Uint8Array.from(type === undefined ? [] : [type]), writeRlp([...items, ...tail]))
}

type Facts = Partial<Record<EthereumField | 'from' | 'type', JsonValue>>

function factsOf({ layout, items, tail }: EthereumTransaction, from: string): Facts {
  const facts: Facts = { type: layout.name, from }
  layout.fields.forEach((field, i) => {
    facts[field] = ethereumFields[field](items[i] as RlpItem)
  })
  const [chainId] = tail
  if (chainId !== undefined) facts.chain_id = ethereumFields.chain_id(chainId)
  if (layout.toRequired === true && facts.to === '') throw new TransactionError('transactions of this type need `to`')
  const { max_fee_per_gas: maxFee, max_priority_fee_per_gas: maxTip } = facts
  if (maxFee === undefined) return facts
  if (BigInt(maxTip as string) > BigInt(maxFee as string)) {
    throw new TransactionError('max_priority_fee_per_gas above max_fee_per_gas')
  }
  return { ...facts, gas_price: maxFee }
}

function assemble(
  transaction: EthereumTransaction,
  chainId: bigint | undefined,
  sig: RecoverableSignature,
): Uint8Array {
  const { type, items } = transaction
  const v = type !== undefined ? 0n : chainId === undefined ? 27n : chainId * 2n + 35n
  const signature = [bigEndian(v + BigInt(sig.parity)), withoutLeadingZeros(sig.r), withoutLeadingZeros(sig.s)]
  return writeEthereum({ ...transaction, items: [...items, ...signature], tail: [] })
}

export const ethereum: TransactionFormat = {
  curve: 'secp256k1',
  parse(bytes: Uint8Array, signer: Signer, digest: Digest): ParsedTransaction {
    const transaction = readEthereum(bytes)
    checkSame(writeEthereum(transaction), bytes)
    const facts = factsOf(transaction, hex(accountOf(signer, digest)))
    const chainId = facts.chain_id === undefined ? undefined : BigInt(facts.chain_id as string)
    return {
      facts: { eth: { tx: facts } },
      toSign: [{ scheme: 'ecdsa', message: digest('keccak256', bytes) }],
      assemble: (signatures) => assemble(transaction, chainId, recoverable(onlySignature(signatures, 65))),
    }
  },
}
