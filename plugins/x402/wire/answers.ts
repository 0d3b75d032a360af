/** What `/verify` and `/settle` answer. Version 1 has exactly the members of the specification; version 2 may say more. */
import type { Refusal } from '../reasons.ts'

export interface VerifyOutcome {
  /** Empty when no payer could be read. */
  readonly payer: string
  readonly refusal?: Refusal
}

export interface SettleOutcome extends VerifyOutcome {
  readonly networkName: string
  /** Hash of the transfer, when there is one to name. */
  readonly transaction?: string
  /** Settled by an earlier request: nothing was sent for this one. */
  readonly replayed?: true
  /** HTTP; left out: that of the reason. */
  readonly status?: number | undefined
}

export function presentVerify(version: 1 | 2, { payer, refusal }: VerifyOutcome): object {
  if (refusal === undefined) return { isValid: true, payer }
  const { code: invalidReason, message: invalidMessage } = refusal
  if (version === 1 || invalidMessage === undefined) return { isValid: false, invalidReason, payer }
  return { isValid: false, invalidReason, invalidMessage, payer }
}

/**
 * A repeat is a success in version 1, as the specification has it, and marked. In version 2 it is a refusal that names
 * the transaction: its sellers may settle before they serve, and would serve every replay.
 */
export function presentSettle(version: 1 | 2, outcome: SettleOutcome): object {
  const { payer, networkName: network, transaction = '', replayed, refusal } = outcome
  if (refusal !== undefined) return presentRefusedSettle(version, outcome, refusal)
  if (replayed === undefined) return { success: true, transaction, network, payer }
  if (version === 1) return { success: true, transaction, network, payer, replayed }
  return { success: false, errorReason: 'duplicate_settlement', transaction, network, payer }
}

function presentRefusedSettle(version: 1 | 2, outcome: SettleOutcome, { code, message }: Refusal): object {
  const { payer, networkName: network, transaction = '' } = outcome
  if (version === 1) return { success: false, errorReason: code, transaction: '', network, payer }
  // Its sellers ask once more by themselves when they are told of a transaction that is under way.
  const isPending = code === 'x402_settlement_in_flight' && transaction !== ''
  const errorReason = isPending ? 'settlement_pending' : code
  const errorMessage = message === undefined ? {} : { errorMessage: message }
  return { success: false, errorReason, ...errorMessage, transaction: isPending ? transaction : '', network, payer }
}
