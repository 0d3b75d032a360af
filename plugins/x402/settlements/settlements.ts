/** The documents of settlements: claimed once, moved only along the table of phases. */
import { findAll, insertOnce, type Collection } from '../../../gateway/plugin-api.ts'
import type { Authorization } from '../payment.ts'
import type { Prepared, Scheme } from '../schemes/scheme.ts'
import { leadsTo, unfinished, type Phase, type SettlementDocument } from './settlement.ts'

export class Settlements {
  private readonly collection: Collection<SettlementDocument>
  private readonly nowMs: () => number

  constructor(collection: Collection<SettlementDocument>, nowMs: () => number) {
    this.collection = collection
    this.nowMs = nowMs
  }

  get(key: string): Promise<SettlementDocument | undefined> {
    return this.collection.get(key)
  }

  /** @param sendKey Of a try that is under way, or of the last one. */
  async ofSendKey(sendKey: string): Promise<SettlementDocument | undefined> {
    const { items } = await this.collection.find({ where: { sendKey }, sort: '_id', limit: 1 })
    return items[0]
  }

  async unfinished(): Promise<SettlementDocument[]> {
    const pages = unfinished.map((phase) => findAll(this.collection, { where: { phase }, sort: 'updatedAtMs' }))
    return (await Promise.all(pages)).flat()
  }

  /**
   * Makes it ours, before anything is done for it.
   * @param beforeAnother Called with a try that came to nothing, before its document becomes the next one's.
   * @returns undefined when it is somebody's already, or paid.
   */
  async claim(
    authorization: Authorization,
    scheme: Pick<Scheme, 'scheme' | 'network'>,
    { costMax, plan }: Prepared,
    beforeAnother: (last: SettlementDocument) => Promise<void>,
  ): Promise<SettlementDocument | undefined> {
    const nowMs = this.nowMs()
    const { key, payer, payee, asset, amount, detail } = authorization
    const claimed: SettlementDocument = {
      _id: key,
      v: 0,
      phase: 'claimed',
      sendKey: crypto.randomUUID(),
      scheme: scheme.scheme,
      network: scheme.network,
      payer,
      payee,
      asset,
      amount: String(amount),
      detail,
      plan,
      costMax: String(costMax),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    if (await insertOnce(this.collection, claimed)) return claimed
    const earlier = await this.collection.get(key)
    if (earlier?.phase !== 'released') return undefined
    await beforeAnother(earlier)
    return this.replace(earlier, { ...claimed, createdAtMs: earlier.createdAtMs })
  }

  /** @returns the settlement as it is now stored, undefined when somebody else has moved it meanwhile. */
  async move(
    from: SettlementDocument,
    phase: Phase,
    facts: Partial<Pick<SettlementDocument, 'transaction' | 'byOther' | 'cost' | 'refusal'>> = {},
  ): Promise<SettlementDocument | undefined> {
    if (!leadsTo[from.phase].includes(phase)) throw new Error(`a settlement cannot go from ${from.phase} to ${phase}`)
    return this.replace(from, { ...from, ...facts, phase, updatedAtMs: this.nowMs() })
  }

  /**
   * Says whether this answer is the first to tell of a success. It is remembered before it is told: told twice, a seller
   * might serve twice.
   */
  async reportOnce(settlement: SettlementDocument): Promise<boolean> {
    for (let stored: SettlementDocument | undefined = settlement; stored !== undefined;) {
      if (stored.reported === true) return false
      if ((await this.replace(stored, { ...stored, reported: true })) !== undefined) return true
      stored = await this.collection.get(settlement._id)
    }
    return false
  }

  private async replace(from: SettlementDocument, to: SettlementDocument): Promise<SettlementDocument | undefined> {
    return (await this.collection.compareAndSet(from, to)) ? { ...to, v: from.v + 1 } : undefined
  }
}
