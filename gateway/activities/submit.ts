/** A stamped submit request becomes an activity: stored first, then carried to its end. */
import { createHash, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import { activitiesSpec, type ActivityDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import type { RequestBody } from '../http/middleware/body.ts'
import type { Caller } from '../http/middleware/stamp.ts'
import type { Collection, Store } from '../store/store.ts'
import { insertOnce } from '../store/writes.ts'
import type { CheckTimestamp } from '../timestamp-window.ts'
import type { Carrier } from './carry.ts'
import { readSubmitBody } from './submit-body.ts'
import { voteSelectionOf } from './votes.ts'

/** Each lost try means that another request with this body was refused in the same moment. */
const INSERT_TRIES_MAX = 8

export interface SubmitOptions {
  checkTimestamp: CheckTimestamp
  nowMs: () => number
}

export class Submit {
  private readonly activities: Collection<ActivityDocument>
  private readonly carrier: Carrier
  private readonly options: SubmitOptions

  constructor(store: Store, carrier: Carrier, options: SubmitOptions) {
    this.activities = store.collection(activitiesSpec)
    this.carrier = carrier
    this.options = options
  }

  /**
   * The activity of this body: a new one, or the one that an identical body (RFC 8785) has made before.
   * @param path Last segment of the route. @throws {ApiError}
   */
  async submit(
    path: string,
    body: RequestBody,
    { stamp, organization, home, user }: Caller,
  ): Promise<ActivityDocument> {
    if (home !== organization) throw new ApiError('PUBLIC_KEY_NOT_FOUND')
    const { type, timestampMs } = readSubmitBody(body, path)
    const canonical = canonicalize(body.json) as string
    // Two users who vote may send the same body, and have a voice each.
    const isVote = voteSelectionOf(type) !== undefined
    const idempotencyKey = sha256Hex(isVote ? `${stamp.publicKey}/${canonical}` : canonical)
    const { organizationId } = organization
    const known = await this.find(organizationId, idempotencyKey)
    if (known !== undefined) return this.carrier.carry(known)
    if (organization.deletedAtMs !== undefined) throw new ApiError('ORGANIZATION_NOT_FOUND')
    this.options.checkTimestamp(timestampMs)
    this.carrier.refuseOverload()
    const nowMs = this.options.nowMs()
    const fresh: ActivityDocument = {
      _id: randomUUIDv7(),
      v: 0,
      organizationId,
      userId: user.userId,
      idempotencyKey,
      fingerprint: `sha256:${sha256Hex(body.bytes)}`,
      type,
      phase: 'accepted',
      body: body.text,
      stamp,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      lease: this.carrier.freshLease(),
    }
    return this.carrier.carry(await this.insertOrFind(fresh))
  }

  /** Of requests that race with one body, one inserts and the others find. */
  private async insertOrFind(fresh: ActivityDocument): Promise<ActivityDocument> {
    for (let tries = 0; tries < INSERT_TRIES_MAX; tries++) {
      if (await insertOnce(this.activities, fresh)) return fresh
      const winner = await this.find(fresh.organizationId, fresh.idempotencyKey)
      if (winner !== undefined) return winner
      // The winner was refused meanwhile and gave the key back: this one decides anew.
    }
    throw new ApiError('UNAVAILABLE')
  }

  private async find(organizationId: string, idempotencyKey: string): Promise<ActivityDocument | undefined> {
    const where = { organizationId, idempotencyKey }
    const { items } = await this.activities.find({ where, sort: 'idempotencyKey', limit: 1 })
    return items[0]
  }
}

function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
