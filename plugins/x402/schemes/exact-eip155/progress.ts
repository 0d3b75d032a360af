/** Where a try to settle stands, from the sending engine's record and the chain. */
import type { Inclusion, Sender, SendRecord } from '../../../../gateway/plugin-api.ts'
import type { Authorization } from '../../payment.ts'
import { refuse, type Refusal } from '../../reasons.ts'
import type { Progress } from '../scheme.ts'
import { detailOf, type ExactDetail } from './authorization.ts'
import { checkState, checkWindow, type TokenOnChain } from './chain-checks.ts'
import { refuseExact } from './reasons.ts'
import { available } from './rpc.ts'
import { hasTransfer, hasUsed } from './token.ts'
import { findUse } from './uses.ts'

/** Blocks on top of a transfer that somebody else sent, before we call it final. Ours are judged by the engine. */
const FINAL_DEPTH = 15n

export interface ProgressParts {
  readonly token: TokenOnChain
  readonly sender: Pick<Sender, 'get'>
  readonly nowMs: () => number
}

/** @throws {ChainUnavailable} */
export async function progressOf(
  parts: ProgressParts,
  key: string,
  authorization: Authorization,
  plan: Readonly<Record<string, string>>,
): Promise<Progress> {
  const record = await parts.sender.get(key)
  if (record === undefined) return { state: 'notSent' }
  const detail = detailOf(authorization)
  const { inclusion } = record
  if (inclusion !== undefined && hasPaid(inclusion, detail)) return ownPayment(record, inclusion)
  if (!isOver(record) && inclusion === undefined) return underWay(record)
  return otherPayment(parts, record, authorization, BigInt(plan['sinceBlock'] ?? '0'))
}

function hasPaid({ status, logs }: Inclusion, detail: ExactDetail): boolean {
  return status === 'success' && hasTransfer(logs, detail) && hasUsed(logs, detail)
}

function isOver({ state }: SendRecord): boolean {
  return state === 'final' || state === 'replaced' || state === 'failed'
}

function underWay({ state, hashes }: SendRecord): Progress {
  const transaction = state === 'accepted' || state === 'claimed' ? undefined : hashes.at(-1)
  return transaction === undefined ? { state: 'underWay' } : { state: 'underWay', transaction }
}

function ownPayment({ state }: SendRecord, { hash, cost }: Inclusion): Progress {
  const paid = { state: 'paid', transaction: hash, byOther: false } as const
  return state === 'final' ? { ...paid, final: true, cost } : { ...paid, final: false }
}

/** Ours did not pay. Somebody else may have, with the same authorization; if not, why not. */
async function otherPayment(
  { token, nowMs }: ProgressParts,
  record: SendRecord,
  authorization: Authorization,
  sinceBlock: bigint,
): Promise<Progress> {
  const detail = detailOf(authorization)
  const cost = record.inclusion?.cost ?? record.cancelCost ?? 0n
  const use = await findUse(token.client, detail, sinceBlock)
  if (use !== undefined) {
    const head = await available(() => token.client.getBlockNumber())
    const paid = { state: 'paid', transaction: use.hash, byOther: true } as const
    const isFinal = isOver(record) && head - use.blockNumber >= FINAL_DEPTH
    return isFinal ? { ...paid, final: true, cost } : { ...paid, final: false }
  }
  if (!isOver(record)) return underWay(record)
  if (record.failure === 'send_refused') {
    return { state: 'unpaid', refusal: refuse('x402_relayer_not_configured'), cost }
  }
  return { state: 'unpaid', refusal: await whyUnpaid(token, authorization, nowMs()), cost }
}

async function whyUnpaid(token: TokenOnChain, authorization: Authorization, nowMs: number): Promise<Refusal> {
  const refusal = checkWindow(detailOf(authorization), nowMs) ?? (await checkState(token, authorization, undefined))
  // It failed and would pass now: somebody moved the balance there and back, say.
  return refusal ?? refuseExact('invalid_exact_evm_insufficient_balance', 'the transfer failed on chain')
}
