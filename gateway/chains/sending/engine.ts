/**
 * The sending engine of one sender: takes sends, and looks at the chain for all that are under way. Several processes
 * may run it for the same keys: each step is one compare-and-set, so all they lose is work.
 */
import type { Address, Hash } from 'viem'
import { describeBug } from '../../describe-bug.ts'
import { FIND_LIMIT_MAX } from '../../store/store.ts'
import { insertOnce } from '../../store/writes.ts'
import { isPassing } from '../rpc/chain-reader.ts'
import {
  SenderUnavailableError,
  type FeeQuote,
  type SendRecord,
  type SendRequest,
  type Sender,
  type SendState,
} from '../sender.ts'
import { acceptedSend } from './accepted-send.ts'
import { isEnded, type SendDocument } from './documents.ts'
import { ceilingOf, firstOffer, within } from './fees.ts'
import { Follow } from './follow.ts'
import { Listeners } from './listeners.ts'
import { LookPace } from './look-pace.ts'
import type { EngineParts } from './parts.ts'
import { OpenLanes } from './open-lanes.ts'
import { presentSend, sendIdOf } from './present.ts'
import { Steps } from './steps.ts'

/** Another process may have changed what somebody waits for here. */
const WAIT_POLL_MS = 250
/** A look waits so long for the word of all endpoints: one of them may hang, and only ends need it. */
const FINALITY_WAIT_MS = 1_000

export class Engine implements Sender {
  private readonly parts: EngineParts
  private readonly steps: Steps
  private readonly follow: Follow
  private readonly listeners: Listeners
  private readonly lanes: OpenLanes
  private readonly advancing = new Map<string, Promise<SendDocument>>()
  private looking: Promise<void> = Promise.resolve()
  private firstLook: Promise<void> | undefined
  private readonly pace: LookPace
  /** Undefined while a look of the timer runs. */
  private timer: NodeJS.Timeout | undefined
  /** Of the last look that saw everything. */
  private headHash: Hash | undefined
  private headSinceMs = 0
  /** As two endpoints last said it; below zero when too few did. */
  private lowestHeight = -1
  private askingLowest: Promise<void> | undefined
  private closing = false
  private isSeen = true

  constructor(parts: EngineParts) {
    this.parts = parts
    this.listeners = new Listeners(parts)
    this.lanes = new OpenLanes(parts)
    this.steps = new Steps(parts, this.lanes, (send) => this.stored(send))
    this.follow = new Follow(parts, this.steps, (send) => this.advance(send))
    this.pace = new LookPace(parts.settings.pollMs)
    this.timer = setTimeout(() => this.lookByTimer(), 0)
  }

  relayers(): Promise<Address[]> {
    return this.parts.keys.addresses(this.parts.options.relayerKeys)
  }

  async quoteFees(): Promise<FeeQuote> {
    const offer = firstOffer(await this.parts.reader.feeMarket(this.steps.height))
    const feeCeiling = ceilingOf(offer, this.parts.options.feeCeiling)
    return { ...within(offer, feeCeiling), feeCeiling }
  }

  async send(request: SendRequest): Promise<SendRecord> {
    const id = sendIdOf(this.parts.options.name, request.key)
    const known = await this.parts.sends.get(id)
    if (known !== undefined) return presentSend(await this.advance(known))
    await this.findLanes()
    if (!this.lanes.hasUsable(request)) throw new SenderUnavailableError('no_lane')
    const fresh = acceptedSend(request, this.parts.options, this.parts.nowMs())
    const inserted = await insertOnce(this.parts.sends, fresh)
    return presentSend(await this.advance(inserted ? fresh : await this.steps.load(id)))
  }

  async get(key: string): Promise<SendRecord | undefined> {
    const send = await this.parts.sends.get(sendIdOf(this.parts.options.name, key))
    return send === undefined ? undefined : presentSend(send)
  }

  async cancel(key: string): Promise<SendRecord | undefined> {
    for (;;) {
      const send = await this.parts.sends.get(sendIdOf(this.parts.options.name, key))
      if (send === undefined) return undefined
      const overSinceMs = this.parts.nowMs() - 1
      const isOpen = send.inclusion === undefined && !isEnded(send)
      if (!isOpen || send.validUntilMs <= overSinceMs) return presentSend(send)
      const cancelled = { ...send, validUntilMs: overSinceMs }
      if (await this.parts.sends.compareAndSet(send, cancelled)) {
        return presentSend(await this.advance({ ...cancelled, v: send.v + 1 }))
      }
    }
  }

  async waitFor(key: string, states: readonly SendState[], withinMs: number): Promise<SendRecord> {
    const id = sendIdOf(this.parts.options.name, key)
    const endsAtMs = performance.now() + withinMs
    for (;;) {
      const changed = this.listeners.changed(id, WAIT_POLL_MS)
      const send = await this.steps.load(id)
      const leftMs = endsAtMs - performance.now()
      if (states.includes(send.state) || isEnded(send) || leftMs <= 0) return presentSend(send)
      await changed
    }
  }

  /** Looks at the chain once: what the timer does. Tests call it, so that they need not wait. */
  async look(): Promise<void> {
    await this.lookAfterOthers(true)
  }

  async close(): Promise<void> {
    this.closing = true
    clearTimeout(this.timer)
    await this.looking
    await Promise.allSettled(this.advancing.values())
    await this.listeners.close()
  }

  /** What this process has stored. */
  private stored(send: SendDocument): void {
    this.lanes.stored(send)
    this.listeners.stored(send)
    if (send.state !== 'broadcast') return
    this.pace.quicken()
    if (this.timer !== undefined) this.lookLater()
  }

  private lookLater(): void {
    clearTimeout(this.timer)
    if (!this.closing) this.timer = setTimeout(() => this.lookByTimer(), this.pace.nextPauseMs())
  }

  private lookByTimer(): void {
    this.timer = undefined
    void this.lookAfterOthers(this.pace.isWholeDue()).finally(() => this.lookLater())
  }

  private lookAfterOthers(whole: boolean): Promise<void> {
    return (this.looking = this.looking.then(() => this.lookNow(whole)))
  }

  /** @param whole Also where the head is the same: times pass, and other processes do things. */
  private async lookNow(whole: boolean): Promise<void> {
    if (this.closing) return
    try {
      const head = await this.parts.reader.head()
      if (!whole && head.hash === this.headHash) return
      this.steps.height = head.number
      await this.lanes.open(this.steps, this.follow)
      const finalHeight = await this.finalHeight(head.number)
      const nowMs = this.parts.nowMs()
      if (head.hash !== this.headHash) this.headSinceMs = nowMs
      await this.lanes.look({ head, stillMs: nowMs - this.headSinceMs, finalHeight })
      await this.takeAccepted()
      await this.listeners.tellRest()
      this.headHash = head.hash
      this.pace.wholeDone()
      this.see(true)
    } catch (error) {
      if (!isPassing(error)) this.parts.logger.error(describeBug(error), 'look_failed')
      else this.see(false)
    }
  }

  /** Below zero as well while too few endpoints say: everything but an end goes on then. */
  private async finalHeight(height: number): Promise<number> {
    const { finality, finalityDepth } = this.parts.settings
    this.askingLowest ??= this.askLowest().finally(() => (this.askingLowest = undefined))
    const { promise: waited, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, FINALITY_WAIT_MS)
    await Promise.race([this.askingLowest, waited]).finally(() => clearTimeout(timer))
    return Math.min(this.lowestHeight, height) - (finality === 'depth' ? finalityDepth : 0)
  }

  private async askLowest(): Promise<void> {
    const { finality } = this.parts.settings
    try {
      this.lowestHeight = await this.parts.reader.lowestHeight(finality === 'depth' ? 'latest' : finality)
    } catch (error) {
      if (!isPassing(error)) throw error
      this.lowestHeight = -1
    }
  }

  /** Says it once, not at every look. */
  private see(isSeen: boolean): void {
    if (isSeen === this.isSeen) return
    this.isSeen = isSeen
    if (isSeen) this.parts.logger.info('chain_seen')
    else this.parts.logger.warn('chain_not_seen')
  }

  /** Those that found no room, or were left by a process that has stopped. */
  private async takeAccepted(): Promise<void> {
    const where = { sender: this.parts.options.name, state: 'accepted' } as const
    const { items } = await this.parts.sends.find({ where, sort: 'createdAtMs', limit: FIND_LIMIT_MAX })
    await Promise.all(items.map((send) => this.advance(send)))
  }

  /** One at a time for each send; whoever comes meanwhile takes the same result. */
  private advance(send: SendDocument): Promise<SendDocument> {
    const known = this.advancing.get(send._id)
    if (known !== undefined) return known
    const run = this.advanceNow(send).finally(() => this.advancing.delete(send._id))
    this.advancing.set(send._id, run)
    return run
  }

  /** What is stored goes on later when something does not answer. */
  private async advanceNow(send: SendDocument): Promise<SendDocument> {
    try {
      return await this.steps.advance(send)
    } catch (error) {
      if (!isPassing(error)) this.parts.logger.error({ send: send._id, ...describeBug(error) }, 'send_stuck')
      return this.steps.load(send._id)
    }
  }

  /** @throws {SenderUnavailableError} when there is no relayer, or none whose lane could be looked at yet. */
  private async findLanes(): Promise<void> {
    if (this.lanes.isAnyKnown) return
    if ((await this.relayers()).length === 0) throw new SenderUnavailableError('relayer_not_configured')
    await (this.firstLook ??= this.look().finally(() => (this.firstLook = undefined)))
    if (!this.lanes.isAnyKnown) throw new SenderUnavailableError('no_lane')
  }
}
