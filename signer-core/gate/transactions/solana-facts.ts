/** What policies see of a Solana transaction (`solana.tx`): keys in base58, data in hex. */
import { base58 } from '@scure/base'
import { bytesToHex } from '../../protocol/bytes.ts'
import type { JsonObject, JsonValue } from '../../protocol/strict-json.ts'
import { solTransfer, splTransfer } from './solana-transfers.ts'
import type { SolanaInstruction, SolanaTransaction } from './solana-message.ts'

/** Stands for an account that only the chain can tell: the transaction has a table's address and an index. */
export const LOOKED_UP = 'ADDRESS_TABLE_LOOKUP'

export type SolanaAccount = { account_key: string; signer: boolean; writable: boolean }
type TableEntry = { address_table_key: string; index: number; writable: boolean }
interface ResolvedAccount {
  account: SolanaAccount
  /** Where it is looked up; undefined for a static key. */
  entry: TableEntry | undefined
}

export interface NamedInstruction {
  program: string
  accounts: SolanaAccount[]
  data: Uint8Array
}

/** @throws {TransactionError} for a transfer that cannot be read as its program would. */
export function solanaFacts(transaction: SolanaTransaction): JsonObject {
  const resolved = resolveAccounts(transaction)
  const named = transaction.instructions.map((instruction) => name(instruction, resolved))
  const programs = new Set(named.map(({ program }) => program))
  const keys = resolved.map(({ account }) => account.account_key)
  return {
    account_keys: keys,
    program_keys: keys.filter((key) => programs.has(key)),
    instructions: transaction.instructions.map((instruction, i) =>
      instructionFacts(instruction, named[i] as NamedInstruction, resolved),
    ),
    transfers: present(named.map(solTransfer)),
    spl_transfers: present(named.map(splTransfer)),
    recent_blockhash: base58.encode(transaction.recentBlockhash),
    address_table_lookups: transaction.lookups.map(({ table, writable, readonly }) => ({
      address_table_key: base58.encode(table),
      writable_indexes: [...writable],
      readonly_indexes: [...readonly],
    })),
  }
}

/** In the order of the message: static keys, then writable, then read-only accounts of all tables. */
function resolveAccounts(transaction: SolanaTransaction): ResolvedAccount[] {
  const { keys, required, readonlySigned, readonlyUnsigned, lookups } = transaction
  const tables = lookups.map((lookup) => ({ ...lookup, address: base58.encode(lookup.table) }))
  const looked = (address: string, indices: Uint8Array, writable: boolean): ResolvedAccount[] =>
    [...indices].map((index) => ({
      account: { account_key: LOOKED_UP, signer: false, writable },
      entry: { address_table_key: address, index, writable },
    }))
  return [
    ...keys.map((key, i) => {
      const signer = i < required
      const writable = i < (signer ? required - readonlySigned : keys.length - readonlyUnsigned)
      return { account: { account_key: base58.encode(key), signer, writable }, entry: undefined }
    }),
    ...tables.flatMap(({ address, writable }) => looked(address, writable, true)),
    ...tables.flatMap(({ address, readonly }) => looked(address, readonly, false)),
  ]
}

function name({ program, accounts, data }: SolanaInstruction, resolved: ResolvedAccount[]): NamedInstruction {
  const at = (index: number) => (resolved[index] as ResolvedAccount).account
  return { program: at(program).account_key, accounts: [...accounts].map(at), data }
}

function instructionFacts(
  { accounts, data }: SolanaInstruction,
  named: NamedInstruction,
  resolved: ResolvedAccount[],
): JsonObject {
  return {
    program_key: named.program,
    accounts: named.accounts,
    instruction_data_hex: bytesToHex(data),
    address_table_lookups: present([...accounts].map((index) => resolved[index]?.entry)),
  }
}

function present<T extends JsonValue>(values: (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined)
}
