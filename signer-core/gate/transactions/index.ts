/** The kinds of transaction, one line each. */
import type { TransactionType } from '../../protocol/activities/sign-transaction.ts'
import { bitcoin } from './bitcoin.ts'
import { ethereum } from './ethereum.ts'
import { solana } from './solana.ts'
import type { TransactionFormat } from './transaction.ts'
import { tron } from './tron.ts'

export const transactionFormats: Record<TransactionType, TransactionFormat> = {
  TRANSACTION_TYPE_ETHEREUM: ethereum,
  TRANSACTION_TYPE_SOLANA: solana,
  TRANSACTION_TYPE_TRON: tron,
  TRANSACTION_TYPE_BITCOIN: bitcoin,
}
