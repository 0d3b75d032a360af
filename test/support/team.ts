/** An organization with several users, in the built gate; the host's part, the stamps, is taken as done. */
import { createHash, randomUUID } from 'node:crypto'
import { Bench, type GateOutcome, type GateRequest, type KeyRecord } from './component.ts'
import { apiKeyParams, freshPublicKey, resultOf, userParams } from './organization-requests.ts'

const NOW_MS = 1_700_000_000_000n

export interface Member {
  userId: string
  /** Of the P-256 key with which the member stamps. */
  publicKey: string
}

type Stamped = GateRequest['votes'][number]

export class Team {
  readonly bench: Bench
  private constructor(bench: Bench) {
    this.bench = bench
  }

  static async open(dataKey: Uint8Array): Promise<Team> {
    return new Team(await Bench.open(dataKey))
  }

  join(userName: string, userTags: string[] = []): Member {
    const publicKey = freshPublicKey()
    const users = [userParams(userName, [apiKeyParams(publicKey)], userTags)]
    const { userIds } = resultOf(this.bench.change('ACTIVITY_TYPE_CREATE_USERS_V4', { users }))
    return { userId: userIds[0], publicKey }
  }

  /** @returns the policy's id. */
  policy(effect: 'ALLOW' | 'DENY', texts: { condition?: string; consensus?: string; time?: string }): string {
    const params = { policyName: 'p', effect: `EFFECT_${effect}`, notes: '', ...texts }
    return resultOf(this.bench.change('ACTIVITY_TYPE_CREATE_POLICY_V3', params)).policyId
  }

  /** A request to sign, by this member. */
  signing(key: KeyRecord, { publicKey }: Member, payload = 'hello'): GateRequest {
    const stamp = { stampPublicKey: publicKey }
    return this.bench.signRequest(key, payload, 'HASH_FUNCTION_SHA256', undefined, stamp)
  }

  perform(request: GateRequest): GateOutcome {
    return this.bench.component.gate.perform(request)
  }

  /** As an approval or rejection comes along with its target. */
  vote(
    target: GateRequest,
    { publicKey }: Member,
    what: 'APPROVE' | 'REJECT' = 'APPROVE',
    timestampMs = NOW_MS,
  ): Stamped {
    const fingerprint = `sha256:${Buffer.from(target.bodyDigest).toString('hex')}`
    const body = JSON.stringify({
      type: `ACTIVITY_TYPE_${what}_ACTIVITY`,
      timestampMs: String(timestampMs),
      organizationId: this.bench.organizationId,
      parameters: { fingerprint },
    })
    const bodyDigest = createHash('sha256').update(body).digest()
    const scheme = { stampScheme: 'SIGNATURE_SCHEME_TK_API_P256', stampPublicKey: publicKey }
    return { activityId: randomUUID(), body, bodyDigest, ...scheme }
  }

  /** The vote as the activity that it is. @param waiting The outcome with which the target waits. */
  voting(vote: Stamped, target: GateRequest, waiting: GateOutcome, votes: Stamped[] = []): GateRequest {
    const { activityId, body, bodyDigest, stampScheme, stampPublicKey } = target
    const stamped = { activityId, body, bodyDigest, stampScheme, stampPublicKey }
    const { keys, wallets, exportedIds, importTarget } = target
    return {
      ...this.bench.request('', {}),
      ...vote,
      keys,
      wallets,
      exportedIds,
      importTarget,
      target: { stamped, votes, evaluation: waiting.evaluation },
    }
  }

  /** The target once more, with what has come in since. */
  again(target: GateRequest, waiting: GateOutcome, votes: Stamped[]): GateRequest {
    const { organization } = this.bench
    const organizationDigest = createHash('sha256').update(organization.text).digest()
    return { ...target, organization, organizationDigest, evaluation: waiting.evaluation, votes }
  }
}
