/** What each kind of activity must say of itself. One file per operation in `activities/`, one line in its registry. */
import type { ImportTarget, KeyRecord, NewKey, NewWallet, WalletRecord } from './wit-types.ts'
import type { Change } from '../protocol/changes.ts'
import type { OrganizationRecord } from '../protocol/organization-record.ts'
import type { JsonObject } from '../protocol/strict-json.ts'

export interface PlanContext {
  organizationId: string
  /** As it was brought and vouched for. */
  organization: OrganizationRecord
  nowMs: number
  activityId: string
  bodyDigest: Uint8Array
  keys: KeyRecord[]
  wallets: WalletRecord[]
  /** Which of them have left before, as the gateway says. */
  exportedIds: string[]
  /** The user who stamped. */
  userId: string
  importTarget: ImportTarget | undefined
}

export interface Effect {
  /** The activity's `result`: one member per name that clients know. */
  result: JsonObject
  newKeys?: NewKey[]
  newWallets?: NewWallet[]
  changes?: Change[]
  /** A new target for the user's imports. */
  importTarget?: ImportTarget
  /** Made by `nextRecord`: the organization's next version. */
  organization?: OrganizationRecord
  /** A sub-organization's first version. New keys and wallets are then its own. */
  newOrganization?: OrganizationRecord
}

/** What policies may ask after besides what is signed. */
export interface Subject {
  /** The key that signs or leaves. */
  key?: KeyRecord
  /** The wallet that is used, changed or leaves. */
  walletId?: string
  /** Several of them. */
  walletIds?: string[]
}

export interface Plan {
  /**
   * Everything that the effect depends on, as data: this is what policies judge, what the evaluation's digest covers
   * and what is compared before execution.
   */
  commitment: JsonObject
  /** What else policies may look at, when the body is more than its parameters. */
  facts?: JsonObject
  subject?: Subject
  /** Everybody may do this to what is their own, unless a policy denies it. */
  implied?: boolean
  /** Does exactly what `commitment` says. */
  execute(): Effect
}

export interface Operation<P> {
  /** @throws {RefusalError} when the parameters make no sense for the keys at hand; nothing has happened then. */
  plan(parameters: P, context: PlanContext): Plan
}

/** What an operation commits to, from values that are JSON but for members that are undefined. */
export function committed(operation: string, members: object): JsonObject {
  return { operation, ...members }
}
