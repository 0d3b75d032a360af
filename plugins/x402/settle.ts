/** `/settle`: claims a payment, sends it, and waits a while for the block. */
import { QueueUnavailableError, type Queue } from '../../gateway/plugin-api.ts'
import type { Judge, Signed } from './judge.ts'
import type { Limited, Limits } from './limits.ts'
import type { Authorization, PaymentRequest } from './payment.ts'
import { isRefusal, refuse, type Refusal } from './reasons.ts'
import type { Prepared } from './schemes/scheme.ts'
import type { Carrier } from './settlements/carrier.ts'
import { authorizationOf, isInFlight, isPaid, type SettlementDocument } from './settlements/settlement.ts'
import type { Settlements } from './settlements/settlements.ts'
import type { SettleOutcome } from './wire/answers.ts'

export interface SettleParts {
  readonly judge: Judge
  readonly limits: Limits
  readonly settlements: Settlements
  readonly carrier: Carrier
  readonly queue: Queue
  /** How long an answer waits for the block. */
  readonly waitMs: number
  readonly nowMs: () => number
}

/** By when the job takes over what a request has begun: the request's own process is usually faster. */
const JOB_DELAY_MS = 5_000

/** After a look that brought nothing: a wait may have nothing to wait for. */
const PAUSE_MS = 25

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}

/**
 * A payer may sign one nonce twice, for another payee or amount: what was paid by the one is no payment of the other, and
 * there will be none.
 */
function isSameTransfer({ payee, amount }: Authorization, settlement: SettlementDocument): boolean {
  return payee === settlement.payee && String(amount) === settlement.amount
}

export class Settle {
  private readonly parts: SettleParts
  private readonly preparing = new Set<string>()

  constructor(parts: SettleParts) {
    this.parts = parts
  }

  async settle(request: PaymentRequest, payer: string): Promise<SettleOutcome | Limited> {
    const { judge, limits } = this.parts
    const { networkName } = request
    const refused = (refusal: Refusal): SettleOutcome => ({ payer, networkName, refusal })
    const signed = await judge.signed(request)
    if (isRefusal(signed)) return refused(signed)
    if (signed.earlier?.phase !== undefined && signed.earlier.phase !== 'released') {
      return this.repeated(signed, payer, signed.earlier)
    }
    const { authorization } = signed
    // Of requests that come at once to this process, one asks the chain.
    if (this.preparing.has(authorization.key)) return refused(refuse('x402_settlement_in_flight'))
    this.preparing.add(authorization.key)
    try {
      const prepared = await judge.prepared(signed)
      if (isRefusal(prepared)) return refused(prepared)
      return (await limits.ofVerifiedPayment(authorization.payer)) ?? (await this.begin(signed, payer, prepared))
    } finally {
      this.preparing.delete(authorization.key)
    }
  }

  private async begin(signed: Signed, payer: string, prepared: Prepared): Promise<SettleOutcome> {
    const { carrier, settlements } = this.parts
    const claimed = await settlements.claim(signed.authorization, signed.scheme, prepared, (last) =>
      carrier.closeBook(last),
    )
    if (claimed === undefined) return this.claimedByOther(signed, payer)
    await this.addJob(claimed._id)
    return this.outcome(signed, payer, await this.carried(signed, claimed))
  }

  /** Without the queue the request carries it alone, and the sweep finds what it leaves. */
  private async addJob(key: string): Promise<void> {
    try {
      await this.parts.queue.add(key, JOB_DELAY_MS)
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error
    }
  }

  /** Between our look and our claim. */
  private async claimedByOther(signed: Signed, payer: string): Promise<SettleOutcome> {
    const settlement = await this.parts.settlements.get(signed.authorization.key)
    if (settlement === undefined) throw new Error('a claimed settlement is not there')
    return this.repeated(signed, payer, settlement)
  }

  /**
   * Broadcasts nothing new; what nobody carries any more is carried on. Sellers of version 2 ask again by themselves, and
   * expect to be told how it ended.
   */
  private async repeated(signed: Signed, payer: string, settlement: SettlementDocument): Promise<SettleOutcome> {
    if (!isInFlight(settlement)) return this.outcome(signed, payer, settlement)
    const carried =
      signed.request.version === 2
        ? await this.carried(signed, settlement)
        : await this.parts.carrier.carry(settlement._id)
    return this.outcome(signed, payer, carried ?? settlement)
  }

  /** Carries it until it is decided or the time is over. */
  private async carried({ scheme }: Signed, claimed: SettlementDocument): Promise<SettlementDocument> {
    const { carrier, waitMs, nowMs } = this.parts
    const endMs = nowMs() + waitMs
    let settlement = (await carrier.carry(claimed._id)) ?? claimed
    const isOpen = () => isInFlight(settlement) && settlement.sendKey === claimed.sendKey && nowMs() < endMs
    while (isOpen()) {
      await scheme.wait(claimed.sendKey, endMs - nowMs())
      settlement = (await carrier.carry(claimed._id)) ?? settlement
      if (isOpen()) await pause()
    }
    return settlement
  }

  private async outcome(signed: Signed, payer: string, settlement: SettlementDocument): Promise<SettleOutcome> {
    const asked = { payer, networkName: signed.request.networkName }
    if (!isSameTransfer(signed.authorization, settlement)) {
      return { ...asked, refusal: isPaid(settlement) ? signed.scheme.usedRefusal : refuse('x402_settlement_in_flight') }
    }
    if (isInFlight(settlement)) return { ...asked, ...(await this.inFlight(signed, settlement)) }
    const { refusal = refuse('x402_gas_estimate_unavailable'), transaction = '' } = settlement
    if (!isPaid(settlement)) return { ...asked, refusal }
    // The first to be told of it has paid; everybody after is told that they repeat.
    const isFirst = await this.parts.settlements.reportOnce(settlement)
    return isFirst ? { ...asked, transaction } : { ...asked, transaction, replayed: true }
  }

  private async inFlight({ scheme, request }: Signed, settlement: SettlementDocument) {
    const refusal = refuse('x402_settlement_in_flight')
    // Only version 2 has a place for the transaction.
    if (request.version === 1) return { refusal }
    const { sendKey, plan } = settlement
    const progress = await scheme.look(sendKey, authorizationOf(settlement), plan).catch(() => undefined)
    if (progress?.state !== 'underWay' || progress.transaction === undefined) return { refusal }
    return { refusal, transaction: progress.transaction }
  }
}
