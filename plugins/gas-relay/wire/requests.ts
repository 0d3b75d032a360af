/** Bodies of the routes beside submit_transaction. */
import { z } from 'zod'
import { address, decimal, line, network, organizationId, timeMs, timestampMs, transactionId } from './fields.ts'

const LIMIT_MAX = 100
const USAGE_LIMIT_MAX = 1_000
/** geth's pool takes no longer transaction. */
const DATA_BYTES_MAX = 131_072
/** Two or three calls, through delegate and guard. */
const DATA_BYTES_USUAL = 1_500
const limit = z.int().min(1).max(LIMIT_MAX).default(LIMIT_MAX)
/** Opaque, from the page before. */
const cursor = z.string().min(1).max(1_024).optional()

const read = { organizationId, timestampMs: timestampMs.optional() }

export const oneSchema = z.strictObject({ ...read, id: transactionId })
export const cancelSchema = z.strictObject({
  organizationId,
  timestampMs,
  /** Without it the stamp of a read would be the stamp of a cancel. */
  type: z.literal('ACTIVITY_TYPE_RELAY_CANCEL_TRANSACTION'),
  id: transactionId,
})
export const listSchema = z.strictObject({ ...read, limit, cursor })
export const balanceSchema = z.strictObject({ ...read, caip2: network.optional() })
const usage = z.strictObject({
  ...read,
  caip2: network.optional(),
  /** The window, half-open: from this millisecond on, and before that one. */
  fromMs: timeMs.optional(),
  toMs: timeMs.optional(),
  limit: z.int().min(1).max(USAGE_LIMIT_MAX).default(LIMIT_MAX),
  cursor,
})
const isWindow = ({ fromMs = 0, toMs = Infinity }: { fromMs?: number | undefined; toMs?: number | undefined }) =>
  fromMs <= toMs
const notBefore = { path: ['toMs'], message: 'must not be before fromMs' }

export const billingUsageSchema = usage
  .extend({ groupBy: z.enum(['none', 'day', 'from']).default('none') })
  .refine(isWindow, notBefore)
export const tokenUsageSchema = usage.refine(isWindow, notBefore)
export const quoteSchema = z.strictObject({
  ...read,
  caip2: network.optional(),
  gas_token: address,
  /** Of the transaction, units. */
  gasLimit: decimal(),
  /** Of the transaction: chains of the OP stack charge for it. */
  dataBytes: z.int().min(0).max(DATA_BYTES_MAX).default(DATA_BYTES_USUAL),
})
export const depositSchema = z.strictObject({
  organizationId,
  timestampMs,
  caip2: network.optional(),
  /** Wei. */
  amount: decimal().refine((value) => value > 0n, 'must be above 0'),
  /** Names the deposit for ever. */
  reference: line(128),
  /** Kept in the journal beside it. */
  note: line(256).optional(),
})
