/** Nonces: given out, given back, left behind. Each is one compare-and-set of the lane's document. */
import { insertOnce } from '../../store/writes.ts'
import type { Collection, Store } from '../../store/store.ts'
import { lanesSpec, type LaneDocument } from './documents.ts'

export class Lanes {
  private readonly lanes: Collection<LaneDocument>
  /** Within this process changes of one lane wait for each other instead of failing. */
  private readonly last = new Map<string, Promise<unknown>>()

  constructor(store: Store) {
    this.lanes = store.collection(lanesSpec)
  }

  /** @param count Transactions of the account, as the chain says; a new lane begins there. */
  async open(id: string, count: number): Promise<LaneDocument> {
    await insertOnce(this.lanes, { _id: id, v: 0, floor: count, slots: [] })
    return this.load(id)
  }

  async load(id: string): Promise<LaneDocument> {
    const lane = await this.lanes.get(id)
    if (lane === undefined) throw new Error('a lane is not there')
    return lane
  }

  /**
   * The nonce of this send: the one it has, the lowest that was given back, or the next.
   * @returns undefined when there is no room for one more.
   */
  async claim(
    id: string,
    sendId: string,
    hasRoom: (slots: readonly (string | null)[]) => boolean,
  ): Promise<number | undefined> {
    const lane = await this.change(id, ({ slots }) => {
      if (slots.includes(sendId) || !hasRoom(slots)) return undefined
      const free = slots.indexOf(null)
      return { slots: free === -1 ? [...slots, sendId] : slots.with(free, sendId) }
    })
    const place = lane.slots.indexOf(sendId)
    return place === -1 ? undefined : lane.floor + place
  }

  /** Whether `claim` would find a nonce now. */
  async isFree(id: string, sendId: string, hasRoom: (slots: readonly (string | null)[]) => boolean): Promise<boolean> {
    const { slots } = await this.load(id)
    return slots.includes(sendId) || hasRoom(slots)
  }

  /** Gives the nonce back. Only for one that this send has signed nothing for. */
  async giveBack(id: string, nonce: number, sendId: string): Promise<void> {
    await this.change(id, ({ floor, slots }) =>
      slots[nonce - floor] === sendId ? { slots: withoutFreeEnd(slots.with(nonce - floor, null)) } : undefined,
    )
  }

  /** Puts a send into a place that was given back, so that those above it can be mined. @returns false: taken by now. */
  async fill(id: string, nonce: number, sendId: string): Promise<boolean> {
    const lane = await this.change(id, ({ floor, slots }) =>
      slots[nonce - floor] === null ? { slots: slots.with(nonce - floor, sendId) } : undefined,
    )
    return lane.slots[nonce - lane.floor] === sendId
  }

  /** Forgets slots from the front as long as they are among these. */
  async leaveBehind(id: string, sendIds: ReadonlySet<string>): Promise<void> {
    await this.change(id, ({ floor, slots }) => {
      const first = slots.findIndex((slot) => slot === null || !sendIds.has(slot))
      const count = first === -1 ? slots.length : first
      return count === 0 ? undefined : { floor: floor + count, slots: slots.slice(count) }
    })
  }

  /** Takes sends back that were left behind, because the chain has forgotten them. @param sendIds From `floor` on. */
  async takeBack(id: string, floor: number, sendIds: string[]): Promise<void> {
    await this.change(id, (lane) =>
      lane.floor === floor + sendIds.length ? { floor, slots: [...sendIds, ...lane.slots] } : undefined,
    )
  }

  private change(
    id: string,
    next: (lane: LaneDocument) => Partial<Pick<LaneDocument, 'floor' | 'slots'>> | undefined,
  ): Promise<LaneDocument> {
    const run = (this.last.get(id) ?? Promise.resolve()).then(
      () => this.changeNow(id, next),
      () => this.changeNow(id, next),
    )
    this.last.set(id, run)
    return run
  }

  private async changeNow(id: string, next: Parameters<Lanes['change']>[1]): Promise<LaneDocument> {
    for (;;) {
      const lane = await this.load(id)
      const changed = next(lane)
      if (changed === undefined) return lane
      const wanted = { ...lane, ...changed }
      if (await this.lanes.compareAndSet(lane, wanted)) return { ...wanted, v: lane.v + 1 }
    }
  }
}

/** A free place at the end is no gap: nothing waits above it. */
function withoutFreeEnd(slots: (string | null)[]): (string | null)[] {
  return slots.slice(0, slots.findLastIndex((slot) => slot !== null) + 1)
}
