/**
 * All that a plug-in may see. It is handed its own collections, queues, limiters and metrics, the service key's right
 * to submit activities, the chains, a logger and a clock; never a key, another plug-in or the gateway's insides.
 */
import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { z } from 'zod'
import type { ActivityTypeName } from '../signer-core/protocol/activity-types.ts'
import type { Chain } from './chains/chain.ts'
import type { JobHandler, Queue, QueueSpec } from './queue/queue.ts'
import type { LimitSpec, RateLimiter } from './rate-limiter/rate-limiter.ts'
import type { CheckTimestamp } from './timestamp-window.ts'
import type { AnyCollectionSpec, Collection, CollectionSpec, StoredDocument } from './store/store.ts'

export { isEvmChain, RpcUnavailableError } from './chains/chain.ts'
export type { Chain, EvmChain } from './chains/chain.ts'
export { recoverSigner } from './chains/recover-signer.ts'
export { revertOf, type Revert } from './chains/rpc/revert.ts'
export { SenderUnavailableError } from './chains/sender.ts'
export type {
  FeeQuote,
  Inclusion,
  Sender,
  SenderOptions,
  SendFailure,
  SendRecord,
  SendRequest,
  SendState,
} from './chains/sender.ts'
export { describeBug } from './describe-bug.ts'
export { ApiError } from './http/errors.ts'
export { body, discardRest, type BodyState, type RequestBody } from './http/middleware/body.ts'
export { respondJson } from './http/respond.ts'
export { DELAY_MS_MAX, QueueUnavailableError } from './queue/queue.ts'
export type { JobHandler, JobOutcome, Queue, QueueSpec } from './queue/queue.ts'
export { RateLimiterUnavailableError } from './rate-limiter/rate-limiter.ts'
export type { Consumed, LimitSpec, RateLimiter } from './rate-limiter/rate-limiter.ts'
export { isDocumentId } from './store/check-document.ts'
export { BadCursorError, DuplicateKeyError, StoreUnavailableError } from './store/store-errors.ts'
export { StartError } from './start-error.ts'
export { FIND_LIMIT_MAX } from './store/store.ts'
export type { Collection, CollectionSpec, FindQuery, Page, StoredDocument } from './store/store.ts'
export { change, findAll, insertOnce } from './store/writes.ts'

/** What a plug-in states of itself. One folder, one line in `gateway/plugins.ts`. */
export interface Plugin<Settings extends z.ZodObject = z.ZodObject> {
  /** kebab-case, a letter first. Its settings are `KEYSTEAD_<NAME>_*`, or a member of this name, camelCase, in the file. */
  readonly name: string
  /** A strict object in which every member has a default, as the environment says them: text. */
  readonly settings: Settings
  /** Names begin with the plug-in's in camelCase. */
  readonly collections: readonly AnyCollectionSpec[]
  /** Opens queues, takes up what a stopped process has left, returns the routes. */
  start(host: PluginHost, settings: z.infer<Settings>): Promise<RunningPlugin>
}

export interface RunningPlugin {
  /** Comes after the gateway's own routes; it answers under a path of its own and calls `next` for all others. */
  readonly routes?: Middleware
  /** Called when no request comes any more; the queues have not been closed yet. */
  close?(): Promise<void>
}

/** Keeps the type of the settings between schema and `start`. */
export function definePlugin<Settings extends z.ZodObject>(plugin: Plugin<Settings>): Plugin {
  return plugin
}

export interface PluginHost {
  /** @throws {StoreMisuseError} for a collection that the plug-in did not state. */
  collection<T extends StoredDocument>(spec: CollectionSpec<T>): Collection<T>
  /** A queue of the plug-in's own: its name is put before the spec's. */
  openQueue(spec: QueueSpec, handler: JobHandler): Queue
  /** @param limit Points that each key has in each window. */
  openRateLimiter(spec: LimitSpec): RateLimiter
  /** Stamps the body with the service key and submits it, as any client would. */
  submitActivity(request: ActivityRequest): Promise<ActivityEnd>
  /** Reads a body and checks its stamp, which is over the body's canonical JSON. @throws {ApiError} */
  readStamped(context: Context): Promise<StampedRequest>
  /** The same for a root user of the operator's organization, whichever organization the body names. */
  readStampedByOperator(context: Context): Promise<StampedRequest>
  /** To be called before a stamped body changes something that it has not changed before: the window of activities. */
  readonly checkTimestamp: CheckTimestamp
  /** Those of the settings, by CAIP-2 name. */
  readonly chains: ReadonlyMap<string, Chain>
  /** Names begin with `keystead_<name>_`. */
  readonly metrics: Registry
  /** Has the plug-in's name in each line. */
  readonly logger: Logger
  nowMs(): number
}

export interface StampedRequest {
  readonly json: Readonly<Record<string, unknown>>
  /** SHA-256 of the canonical JSON (RFC 8785), hex: the same for every way of writing the same body. */
  readonly digest: string
  /** That the body names. */
  readonly organizationId: string
  /** A user of the parent organization, who may read and nothing else. */
  readonly readsOnly: boolean
}

export interface ActivityRequest {
  type: ActivityTypeName
  /** Part of the activity's identity: store it first, and the same request is the same activity after a crash. */
  timestampMs: string
  parameters: object
}

export type ActivityEnd =
  | { status: 'completed'; activityId: string; result: Readonly<Record<string, unknown>> }
  /** It began and cannot end well. */
  | { status: 'failed'; activityId: string; code: string }
  /** Nothing was done. The same body may be sent again, and may then succeed. */
  | { status: 'refused'; code: string }
  /** Under way: submit the same request again later. */
  | { status: 'pending'; activityId: string }

/** There is no service key, or the gateway cannot take an activity now. Nothing is known to have been done. */
export class ActivityUnavailableError extends Error {
  override name = 'ActivityUnavailableError'
}
