import { BODY_BYTES_MAX, KEY_NAME_LENGTH_MAX } from '../limits.ts'
import { object, text, type TypeOf } from '../schema.ts'

export const transactionTypes = [
  'TRANSACTION_TYPE_ETHEREUM',
  'TRANSACTION_TYPE_SOLANA',
  'TRANSACTION_TYPE_TRON',
  'TRANSACTION_TYPE_BITCOIN',
] as const
export type TransactionType = (typeof transactionTypes)[number]

const transaction = {
  /** Hexadecimal, with or without 0x. */
  unsignedTransaction: text(BODY_BYTES_MAX),
  /** Not limited to `transactionTypes` here: a type that is not offered has an error of its own. */
  type: text(64),
}

export const signTransactionV2Schema = object({ signWith: text(KEY_NAME_LENGTH_MAX), ...transaction })
/** The first version calls the member `privateKeyId`. */
export const signTransactionV1Schema = object({ privateKeyId: text(KEY_NAME_LENGTH_MAX), ...transaction })

export type SignTransaction = TypeOf<typeof signTransactionV2Schema>
