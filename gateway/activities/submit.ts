/** A stamped submit request becomes an activity: stored first, then carried to its end. */
import { createHash, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import { activityTypes, isActivityTypeName, type ActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import { parse, type Schema } from '../../signer-core/protocol/schema.ts'
import { submitBodySchema } from '../../signer-core/protocol/submit-body.ts'
import { activitiesSpec, type ActivityDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import type { RequestBody } from '../http/middleware/body.ts'
import type { Caller } from '../http/middleware/stamp.ts'
import type { Collection, Store } from '../store/store.ts'
import { insertOnce } from '../store/writes.ts'
import type { Carrier } from './carry.ts'

const TIMESTAMP_AHEAD_MAX_MS = 5 * 60_000
/** Each lost try means that another request with this body was refused in the same moment. */
const INSERT_TRIES_MAX = 8

export interface SubmitOptions {
  /** 0: any age. */
  timestampAgeMaxMs: number
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
  async submit(path: string, body: RequestBody, { stamp, organization }: Caller): Promise<ActivityDocument> {
    const { type, timestampMs } = readBody(path, body)
    const idempotencyKey = sha256Hex(canonicalize(body.json) as string)
    const { organizationId } = organization
    const known = await this.find(organizationId, idempotencyKey)
    if (known !== undefined) return this.carrier.carry(known)
    this.checkTimestamp(Number(timestampMs))
    this.carrier.refuseOverload()
    const nowMs = this.options.nowMs()
    const fresh: ActivityDocument = {
      _id: randomUUIDv7(),
      v: 0,
      organizationId,
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

  private checkTimestamp(timestampMs: number): void {
    const { timestampAgeMaxMs, nowMs } = this.options
    if (timestampAgeMaxMs === 0) return
    const ageMs = nowMs() - timestampMs
    if (ageMs >= timestampAgeMaxMs || ageMs < -TIMESTAMP_AHEAD_MAX_MS) throw new ApiError('TIMESTAMP_INVALID')
  }
}

function readBody(path: string, body: RequestBody): { type: ActivityTypeName; timestampMs: string } {
  const read = parse(submitBodySchema, body.json)
  if (!read.ok) throw ApiError.ofViolations(read.violations)
  const { type, timestampMs, parameters } = read.value
  if (!isActivityTypeName(type) || activityTypes[type].path !== path) throw new ApiError('ACTIVITY_TYPE_INVALID')
  const checked = parse(activityTypes[type].parameters as Schema<unknown>, parameters, 'parameters')
  if (!checked.ok) throw ApiError.ofViolations(checked.violations)
  return { type, timestampMs }
}

function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
