/** The lanes of one sender, one for each relayer key, and which of them a send is given to. */
import { createHash } from 'node:crypto'
import type { Follow } from './follow.ts'
import { LaneLook, type Seen } from './lane-look.ts'
import type { SendDocument } from './documents.ts'
import type { EngineParts } from './parts.ts'
import { laneIdOf } from './present.ts'
import type { LaneChoice, Steps } from './steps.ts'

/** What a lane must have money for. */
interface Demand {
  readonly gasLimit: bigint | string
  readonly feeCeiling: bigint | string
}

export class OpenLanes implements LaneChoice {
  private readonly parts: EngineParts
  private lanes: LaneLook[] = []

  constructor(parts: EngineParts) {
    this.parts = parts
  }

  /** Whether a look has succeeded at any of them. */
  get isAnyKnown(): boolean {
    return this.lanes.some(({ balance }) => balance !== undefined)
  }

  hasUsable(demand: Demand): boolean {
    return this.lanes.some((lane) => isUsable(lane, demand))
  }

  /** Always the same lane for an affinity; else the one with the least to do. */
  choose({ request }: SendDocument): { id: string; hasRoom: LaneLook['hasRoom'] } | undefined {
    const usable = this.lanes.filter((lane) => isUsable(lane, request))
    const { affinity } = request
    const byAffinity = affinity === undefined ? undefined : this.lanes[numberOf(affinity) % this.lanes.length]
    const lane = byAffinity ?? usable.toSorted((a, b) => a.given - b.given)[0]
    if (lane === undefined || !usable.includes(lane)) return undefined
    lane.given += 1
    return { id: lane.id, hasRoom: (slots) => lane.hasRoom(slots) }
  }

  /** Relayers that have no lane yet get one: their keys may be made after the start. */
  async open(steps: Steps, follow: Follow): Promise<void> {
    const { options, settings, keys } = this.parts
    if (this.lanes.length === options.relayerKeys.length) return
    const chainKey = await settings.chainKey()
    const known = new Set(this.lanes.map(({ address }) => address))
    const fresh = (await keys.addresses(options.relayerKeys)).filter((address) => !known.has(address))
    const lanes = fresh.map((address) => new LaneLook(laneIdOf(chainKey, address), address, this.parts, steps, follow))
    this.lanes = [...this.lanes, ...lanes]
  }

  /** @throws {RpcUnavailableError} */
  async look(seen: Seen): Promise<void> {
    for (const lane of this.lanes) await lane.look(seen)
  }

  /** This process has stored it. */
  stored(send: SendDocument): void {
    this.lanes.find(({ id }) => id === send.lane)?.stored(send)
  }
}

/** Without the money for this one a lane would only get stuck. */
function isUsable({ problem, balance }: LaneLook, { gasLimit, feeCeiling }: Demand): boolean {
  return problem === undefined && balance !== undefined && balance >= BigInt(gasLimit) * BigInt(feeCeiling)
}

function numberOf(affinity: string): number {
  return createHash('sha256').update(affinity).digest().readUInt32BE()
}
