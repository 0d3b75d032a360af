/** Where a try to settle stands, from the sending engine's record and the chain. */
import type { Inclusion, Sender, SendRecord } from '../../../../gateway/plugin-api.ts'
import type { Authorization } from '../../payment.ts'
import { refuse, type Refusal } from '../../reasons.ts'
import type { Progress } from '../scheme.ts'
import { detailOf } from './authorization.ts'
import { checkWindow, findRefusal } from './chain-checks.ts'
import { refuseExact } from './reasons.ts'
import { available } from './rpc.ts'
import { hasPaid, type TokenOnChain } from './token.ts'
import { findUse, isUsedOnChain } from './uses.ts'

const USED = 'invalid_exact_evm_authorization_used'
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
  if (inclusion?.status === 'success' && hasPaid(inclusion.logs, detail)) return ownPayment(record, inclusion)
  if (!isOver(record) && inclusion === undefined) return underWay(record)
  return otherPayment(parts, record, authorization, BigInt(plan['sinceBlock'] ?? '0'))
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
  // Asked first: what is used by now has its transfer in a block that the next questions see.
  const isUsed = await isUsedOnChain(token, detail, 'latest')
  const height = await available(token.height)
  const use = await findUse(token, detail, sinceBlock, height)
  if (use !== undefined) {
    const paid = { state: 'paid', transaction: use.hash, byOther: true } as const
    const isFinal = isOver(record) && height - use.blockNumber >= FINAL_DEPTH
    return isFinal ? { ...paid, final: true, cost } : { ...paid, final: false }
  }
  if (!isOver(record)) return underWay(record)
  // Nodes tell of their height late: the block that used it was not among those that were looked through.
  if (isUsed && !(await isUsedOnChain(token, detail, height))) return underWay(record)
  if (record.failure === 'send_refused') {
    return { state: 'unpaid', refusal: refuse('x402_relayer_not_configured'), cost }
  }
  const refusal = await whyUnpaid(token, authorization, nowMs(), record)
  // Used in the pool and in no block: whoever did that may be paying the payee in the next one.
  const mayBePaid = refusal.code === USED && !isUsed
  return mayBePaid ? underWay(record) : { state: 'unpaid', refusal, cost }
}

async function whyUnpaid(
  token: TokenOnChain,
  authorization: Authorization,
  nowMs: number,
  { inclusion }: SendRecord,
): Promise<Refusal> {
  const ofChain = await findRefusal(token, authorization)
  // Before its time: that is over by our clock a little sooner than by the chain's.
  if (ofChain?.code === USED) return ofChain
  const refusal = checkWindow(detailOf(authorization), nowMs) ?? ofChain
  if (refusal !== undefined) return refusal
  // It would pass now. Of one that failed in a block, somebody moved the balance there and back, say.
  return inclusion === undefined
    ? { ...refuse('x402_gas_estimate_unavailable'), message: 'not mined in time' }
    : refuseExact('invalid_exact_evm_insufficient_balance', 'the transfer failed on chain')
}
