/**
 * Carries a settlement to its end, one stored step at a time. Whoever comes first does the step: the request, the engine's
 * news, the job after a crash. Two at once do no harm, as each step is one compare-and-set.
 */
import { describeBug, RpcUnavailableError, type JobOutcome, type PluginHost } from '../../../gateway/plugin-api.ts'
import type { GasBudget } from '../budget/gas-budget.ts'
import { refuse, type Refusal } from '../reasons.ts'
import { SendImpossible, SendLater, type Progress, type Scheme, type SendHooks } from '../schemes/scheme.ts'
import { authorizationOf, isInFlight, type SettlementDocument } from './settlement.ts'
import type { Settlements } from './settlements.ts'

export interface CarrierParts {
  readonly settlements: Settlements
  readonly budget: GasBudget
  /** Of a settlement, by its scheme and network. */
  readonly schemeOf: (settlement: SettlementDocument) => Scheme | undefined
  readonly logger: PluginHost['logger']
}

export class Carrier implements SendHooks {
  private readonly parts: CarrierParts
  private readonly running = new Map<string, Promise<SettlementDocument | undefined>>()

  constructor(parts: CarrierParts) {
    this.parts = parts
  }

  /** As far as it goes now. @returns the settlement as stored; calls for one settlement share one run. */
  carry(key: string): Promise<SettlementDocument | undefined> {
    const known = this.running.get(key)
    if (known !== undefined) return known
    const run = this.run(key).finally(() => this.running.delete(key))
    this.running.set(key, run)
    return run
  }

  /** The job of one settlement. */
  async job(key: string): Promise<JobOutcome> {
    const settlement = await this.carry(key)
    return settlement === undefined || settlement.phase === 'final' || settlement.phase === 'released'
      ? 'done'
      : 'retry'
  }

  async mayStillSend(sendKey: string): Promise<boolean> {
    const settlement = await this.parts.settlements.ofSendKey(sendKey)
    const scheme = settlement && this.parts.schemeOf(settlement)
    if (settlement?.phase !== 'sending' || scheme === undefined) return false
    const refusal = await scheme.checkNow(authorizationOf(settlement))
    // Neither yes nor no, so the engine has to ask again.
    if (refusal?.isUnknown === true) throw new RpcUnavailableError('not judged')
    return refusal === undefined
  }

  async onChange(sendKey: string): Promise<void> {
    const settlement = await this.parts.settlements.ofSendKey(sendKey)
    if (settlement === undefined) return
    // A run that began before the news may have looked too early.
    await this.running.get(settlement._id)
    await this.carry(settlement._id)
  }

  /** Puts back what was set aside for tries that came to nothing, should a process have died in between. */
  async sweepBudget(): Promise<void> {
    for (const sendKey of await this.parts.budget.held()) {
      const settlement = await this.parts.settlements.ofSendKey(sendKey)
      const isOver = settlement === undefined || settlement.phase === 'released' || settlement.phase === 'final'
      if (isOver) await this.parts.budget.spend(sendKey, BigInt(settlement?.cost ?? '0'))
    }
  }

  /** The cost of a try that is over, should a process have died before it was entered. */
  closeBook({ sendKey, cost = '0' }: SettlementDocument): Promise<void> {
    return this.parts.budget.spend(sendKey, BigInt(cost))
  }

  private async run(key: string): Promise<SettlementDocument | undefined> {
    let settlement = await this.parts.settlements.get(key)
    try {
      for (;;) {
        const next = settlement && (await this.step(settlement))
        if (next === undefined) return await this.parts.settlements.get(key)
        settlement = next
      }
    } catch (error) {
      // Whatever it is, the settlement is where it was, and is tried again.
      const isExpected = error instanceof SendLater || (error instanceof Error && error.name === 'ChainUnavailable')
      if (!isExpected) this.parts.logger.error(describeBug(error), 'settlement_step_failed')
      return this.parts.settlements.get(key)
    }
  }

  /** @returns the settlement one step on, undefined when there is no step to take now. */
  private async step(settlement: SettlementDocument): Promise<SettlementDocument | undefined> {
    const scheme = this.parts.schemeOf(settlement)
    if (scheme === undefined || settlement.phase === 'final' || settlement.phase === 'released') return undefined
    if (settlement.phase === 'claimed') return this.setAside(settlement)
    const progress = await scheme.look(settlement.sendKey, authorizationOf(settlement), settlement.plan)
    if (progress.state === 'notSent') return this.send(scheme, settlement)
    return this.follow(settlement, progress)
  }

  private async setAside(settlement: SettlementDocument): Promise<SettlementDocument | undefined> {
    const { budget, settlements } = this.parts
    const { sendKey, costMax } = settlement
    const refusal = await budget.hold(sendKey, BigInt(costMax))
    if (refusal !== undefined) return settlements.move(settlement, 'released', { refusal, cost: '0' })
    const sending = await settlements.move(settlement, 'sending')
    // Somebody moved it first; if to its end, nothing is set aside for it any more.
    if (sending === undefined && !isInFlight(await settlements.get(settlement._id))) await budget.spend(sendKey, 0n)
    return sending
  }

  private async send(scheme: Scheme, settlement: SettlementDocument): Promise<SettlementDocument | undefined> {
    const authorization = authorizationOf(settlement)
    try {
      const { sendKey, plan, costMax } = settlement
      await scheme.send(sendKey, authorization, { plan, costMax: BigInt(costMax) })
    } catch (error) {
      if (!(error instanceof SendImpossible)) throw error
      return this.release(settlement, refuse('x402_relayer_not_configured'), 0n)
    }
    const progress = await scheme.look(settlement.sendKey, authorization, settlement.plan)
    return progress.state === 'notSent' ? undefined : this.follow(settlement, progress)
  }

  private async follow(
    settlement: SettlementDocument,
    progress: Exclude<Progress, { state: 'notSent' }>,
  ): Promise<SettlementDocument | undefined> {
    if (progress.state === 'unpaid') return this.release(settlement, progress.refusal, progress.cost)
    if (progress.state === 'underWay') return this.reopen(settlement)
    const { transaction, byOther, final, cost = 0n } = progress
    if (!final) return this.settle(settlement, transaction, byOther)
    const facts = { transaction, byOther, cost: String(cost) }
    const moved = await this.parts.settlements.move(settlement, 'final', facts)
    if (moved !== undefined) await this.parts.budget.spend(settlement.sendKey, cost)
    return moved
  }

  private async settle(
    settlement: SettlementDocument,
    transaction: string,
    byOther: boolean,
  ): Promise<SettlementDocument | undefined> {
    if (settlement.phase === 'settled') return undefined
    return this.parts.settlements.move(settlement, 'settled', { transaction, byOther })
  }

  /** A block that had the transfer is gone. The engine sends the same bytes again. */
  private async reopen(settlement: SettlementDocument): Promise<SettlementDocument | undefined> {
    if (settlement.phase !== 'settled') return undefined
    this.parts.logger.warn({ settlement: settlement._id }, 'settlement_reorganized')
    await this.parts.settlements.move(settlement, 'sending')
    return undefined
  }

  private async release(
    settlement: SettlementDocument,
    refusal: Refusal,
    cost: bigint,
  ): Promise<SettlementDocument | undefined> {
    // What was told to be paid is not: an operator has to know.
    if (settlement.reported === true) this.parts.logger.error({ settlement: settlement._id }, 'settlement_undone')
    const moved = await this.parts.settlements.move(settlement, 'released', { refusal, cost: String(cost) })
    if (moved !== undefined) await this.parts.budget.spend(settlement.sendKey, cost)
    return moved
  }
}
