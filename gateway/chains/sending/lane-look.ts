/** One look at one lane: every send that has a nonce there, the gaps between them, and what lies behind. */
import type { Address, Hash } from 'viem'
import { describeBug } from '../../describe-bug.ts'
import { FIND_LIMIT_MAX } from '../../store/store.ts'
import { insertOnce } from '../../store/writes.ts'
import { isPassing, type Head } from '../rpc/chain-reader.ts'
import { isEnded, type LaneDocument, type SendDocument } from './documents.ts'
import type { Follow, Look } from './follow.ts'
import type { EngineParts } from './parts.ts'
import type { Steps } from './steps.ts'

/** Looks that a gap may last before the engine fills it: usually the next send does. */
const GAP_LOOKS = 3

/** What a look begins with. */
export interface Seen {
  readonly head: Head
  /** How long it has been the head. */
  readonly stillMs: number
  /** Of the last block that counts as final. */
  readonly finalHeight: number
}

export class LaneLook {
  readonly id: string
  readonly address: Address
  /** Sends in the lane's slots that are in a block, or at their end: nodes do not keep them any more. */
  private mined = new Set<string>()
  private gapLooks = 0
  private readonly parts: EngineParts
  private readonly steps: Steps
  private readonly follow: Follow
  /** Why no send is given to this lane; undefined: nothing is wrong with it. */
  problem: 'foreign_nonce' | undefined
  /** Wei; undefined before the first look. */
  balance: bigint | undefined
  /** In flight as of the last look, and given since. */
  given = 0

  constructor(id: string, address: Address, parts: EngineParts, steps: Steps, follow: Follow) {
    this.id = id
    this.address = address
    this.parts = parts
    this.steps = steps
    this.follow = follow
  }

  /** Sends that wait to be mined. */
  inFlight(slots: readonly (string | null)[]): number {
    return slots.filter((slot) => slot === null || !this.mined.has(slot)).length
  }

  /** This process has stored it: what is in a block has made room, what is out of it again needs some. */
  stored(send: SendDocument): void {
    if (isMined(send)) this.mined.add(send._id)
    else this.mined.delete(send._id)
  }

  hasRoom(slots: readonly (string | null)[]): boolean {
    return this.inFlight(slots) < this.parts.settings.inFlightMax
  }

  /** @throws {RpcUnavailableError} */
  async look(seen: Seen): Promise<void> {
    const { reader, lanes } = this.parts
    const [count, balance] = await Promise.all([
      reader.transactionCount(this.address, 'latest'),
      reader.balance(this.address),
    ])
    this.balance = balance
    const lane = await lanes.open(this.id, count)
    if (count < lane.floor) return this.takeBack(lane, count)
    this.check(count > lane.floor + lane.slots.length ? 'foreign_nonce' : undefined)
    const look = this.newLook(seen, count, lane.floor)
    const sends = await Promise.all(lane.slots.map((slot, place) => this.lookAt(lane, slot, place, look)))
    this.mined = new Set(sends.flatMap((send) => (send !== undefined && isMined(send) ? [send._id] : [])))
    this.given = this.inFlight(lane.slots)
    const gaps = lane.slots.filter((slot) => slot === null).length
    this.parts.metrics.lane({ relayer: this.address, inFlight: this.given, gaps, balance: this.balance })
    await this.leaveBehind(sends, seen.finalHeight)
    await this.fillGap(lane)
  }

  /** What several sends ask is asked of the chain once. */
  private newLook({ head, finalHeight, stillMs }: Seen, count: number, floor: number): Look {
    const { reader } = this.parts
    let finalCount: Promise<number> | undefined
    const hashes = new Map<number, Promise<Hash | undefined>>([[head.number, Promise.resolve(head.hash)]])
    return {
      height: head.number,
      baseFee: head.baseFeePerGas,
      stillMs,
      count,
      finalHeight,
      finalCount: () =>
        (finalCount ??=
          finalHeight < 0 ? Promise.resolve(floor) : reader.agreedTransactionCount(this.address, finalHeight)),
      blockHashAt(number) {
        const hash = hashes.get(number) ?? reader.blockHashAt(number)
        hashes.set(number, hash)
        return hash
      },
    }
  }

  private check(problem: LaneLook['problem']): void {
    if (problem !== undefined && this.problem === undefined) {
      this.parts.logger.error({ lane: this.id, problem }, 'lane_stopped')
    }
    this.problem = problem
  }

  private async lookAt(
    lane: LaneDocument,
    slot: string | null,
    place: number,
    look: Look,
  ): Promise<SendDocument | undefined> {
    if (slot === null) return undefined
    const send = await this.steps.load(slot)
    const nonce = lane.floor + place
    const isElsewhere = send.state !== 'accepted' && (send.lane !== this.id || send.nonce !== nonce)
    if (isElsewhere || send.state === 'failed') {
      await this.parts.lanes.giveBack(this.id, nonce, slot)
      return undefined
    }
    try {
      return await this.follow.follow(send, look)
    } catch (error) {
      // One that cannot be looked after now must not keep the others waiting.
      if (isPassing(error)) this.parts.logger.warn({ send: slot }, 'send_not_followed')
      else this.parts.logger.error({ send: slot, ...describeBug(error) }, 'send_stuck')
      return send
    }
  }

  /** Once final for as many blocks again, or used by others, finally. */
  private async leaveBehind(sends: readonly (SendDocument | undefined)[], finalHeight: number): Promise<void> {
    const { finalityDepth } = this.parts.settings
    const behind = sends.flatMap((send) => {
      if (send === undefined || (send.state !== 'final' && send.state !== 'replaced')) return []
      const deep = send.inclusion === undefined || send.inclusion.blockNumber <= finalHeight - finalityDepth
      return deep ? [send._id] : []
    })
    if (behind.length === 0) return
    await this.parts.lanes.leaveBehind(this.id, new Set(behind))
    behind.forEach((id) => this.steps.forget(id))
  }

  /** A nonce that was given back while others above it wait: they cannot be mined before it is used. */
  private async fillGap({ floor, slots }: LaneDocument): Promise<void> {
    const place = slots.indexOf(null)
    this.gapLooks = place === -1 ? 0 : this.gapLooks + 1
    if (this.gapLooks < GAP_LOOKS) return
    this.gapLooks = 0
    const fill = await this.newFill(floor + place)
    if (!(await this.parts.lanes.fill(this.id, fill.nonce, fill._id))) return
    this.parts.logger.warn({ lane: this.id, nonce: fill.nonce }, 'lane_gap_filled')
    await this.steps.advance(fill)
  }

  private async newFill(nonce: number): Promise<SendDocument> {
    const { options, sends, nowMs } = this.parts
    for (let round = 0; ; round++) {
      const fill: SendDocument = {
        _id: `${options.name}/fill ${this.id} ${nonce} ${round}`,
        v: 0,
        sender: options.name,
        state: 'claimed',
        lane: this.id,
        nonce,
        request: { to: this.address, data: '0x', gasLimit: '21000', feeCeiling: options.feeCeiling.toString() },
        validUntilMs: 0,
        attempts: [],
        untold: 0,
        createdAtMs: nowMs(),
      }
      if (await insertOnce(sends, fill)) return fill
      const known = await this.steps.load(fill._id)
      if (known.state !== 'failed') return known
    }
  }

  /** The chain has forgotten more than the depth allows for: what was left behind is looked after again. */
  private async takeBack(lane: LaneDocument, count: number): Promise<void> {
    const found = await Promise.all(
      Array.from({ length: lane.floor - count }, (_, place) => this.sendAt(count + place)),
    )
    const ids = found.flatMap((send) => (send === undefined ? [] : [send._id]))
    this.parts.logger.error({ lane: this.id, floor: lane.floor, count, found: ids.length }, 'lane_behind_chain')
    if (ids.length === lane.floor - count) await this.parts.lanes.takeBack(this.id, count, ids)
  }

  /** The send that used the nonce; several may have had it, and all but one have failed. */
  private async sendAt(nonce: number): Promise<SendDocument | undefined> {
    const where = { lane: this.id, nonce }
    const { items } = await this.parts.sends.find({ where, sort: 'createdAtMs', limit: FIND_LIMIT_MAX })
    return items.find((send) => send.state !== 'failed')
  }
}

function isMined(send: SendDocument): boolean {
  return send.state === 'included' || isEnded(send)
}
