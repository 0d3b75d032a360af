/** A client of the service's own command line: stamps bodies with an API key and waits for activities. */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { activityTypes, type ActivityTypeName } from '../signer-core/protocol/activity-types.ts'
import { CliError } from './cli-error.ts'

export interface Credentials {
  organizationId: string
  /** Compressed P-256 point and scalar, hex. */
  apiPublicKey: string
  apiPrivateKey: string
}

interface Activity {
  id: string
  status: string
  result: Readonly<Record<string, unknown>>
}

/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
const UNDER_WAY = new Set(['ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING'])
/** A minute in all. */
const LOOK_AGAIN_MS = Array.from({ length: 150 }, (_, i) => (i < 100 ? 100 : 1_000))

export class ApiClient {
  readonly organizationId: string
  private readonly baseUrl: string
  private readonly publicKey: string
  private readonly privateKey: KeyObject

  constructor(baseUrl: string, { organizationId, apiPublicKey, apiPrivateKey }: Credentials) {
    this.baseUrl = baseUrl
    this.organizationId = organizationId
    this.publicKey = apiPublicKey
    const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
    const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
    const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
    this.privateKey = createPrivateKey({ key: { ...point, d }, format: 'jwk' })
  }

  /** @throws {CliError} with the status of an answer that is no 200, and what the service says of it. */
  async post<T>(path: string, body: string): Promise<T> {
    const signature = sign('sha256', Buffer.from(body), this.privateKey).toString('hex')
    const stamp = { publicKey: this.publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
    const headers = { 'X-Stamp': Buffer.from(JSON.stringify(stamp)).toString('base64url') }
    const answer = await fetch(`${this.baseUrl}${path}`, { method: 'POST', body, headers })
    const json = (await answer.json()) as T & { message?: string }
    if (answer.ok) return json
    throw new CliError(`the service answered ${answer.status} to ${path}: ${json.message ?? ''}`)
  }

  query<T>(name: string, parameters: object = {}): Promise<T> {
    return this.post(`/public/v1/query/${name}`, JSON.stringify({ organizationId: this.organizationId, ...parameters }))
  }

  /**
   * Submits an activity and waits for its end.
   * @param timestampMs With the parameters the identity of the activity: the same again is the same activity.
   * @throws {CliError} when it was refused, has failed, needs approvals, or is under way for more than a minute.
   */
  async submit(type: ActivityTypeName, parameters: object, timestampMs: number): Promise<Activity['result']> {
    const { organizationId } = this
    const body = JSON.stringify({ type, timestampMs: String(timestampMs), organizationId, parameters })
    let { activity } = await this.post<{ activity: Activity }>(`/public/v1/submit/${activityTypes[type].path}`, body)
    for (const pauseMs of LOOK_AGAIN_MS) {
      if (!UNDER_WAY.has(activity.status)) return resultOf(activity)
      await sleep(pauseMs)
      activity = (await this.query<{ activity: Activity }>('get_activity', { activityId: activity.id })).activity
    }
    return resultOf(activity)
  }
}

function resultOf({ id, status, result }: Activity): Activity['result'] {
  if (status === 'ACTIVITY_STATUS_COMPLETED') return result
  const isWaiting = status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
  const advice = isWaiting ? ': let it be approved, then run this again' : ''
  throw new CliError(`the activity ${id} is ${status}${advice}`)
}
