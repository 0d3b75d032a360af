/** What each kind of activity must say of itself. One file per operation in `activities/`, one line in its registry. */
import type { ImportTarget, KeyRecord, NewKey, NewWallet, WalletRecord } from './wit-types.ts'
import type { Change } from '../protocol/changes.ts'
import type { JsonObject } from '../protocol/strict-json.ts'

export interface PlanContext {
  organizationId: string
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
}

export interface Plan {
  /**
   * Everything that the effect depends on, as data: this is what policies judge, what the evaluation's digest covers
   * and what is compared before execution.
   */
  commitment: JsonObject
  /** What else policies may look at, when the body is more than its parameters. */
  facts?: JsonObject
  /** Does exactly what `commitment` says. */
  execute(): Effect
}

export interface Operation<P> {
  /** @throws {RefusalError} when the parameters make no sense for the keys at hand; nothing has happened then. */
  plan(parameters: P, context: PlanContext): Plan
}
