/** Bodies of the routes beside submit_transaction. */
import { z } from 'zod'
import { decimal, network, organizationId, timeMs, timestampMs, transactionId } from './fields.ts'

const LIMIT_MAX = 100
const USAGE_LIMIT_MAX = 1_000
const limit = z.int().min(1).max(LIMIT_MAX).default(LIMIT_MAX)
/** Opaque, from the page before. */
const cursor = z.string().min(1).max(1_024).optional()

const read = { organizationId, timestampMs: timestampMs.optional() }

export const oneSchema = z.strictObject({ ...read, id: transactionId })
export const cancelSchema = z.strictObject({ organizationId, timestampMs, id: transactionId })
export const listSchema = z.strictObject({ ...read, limit, cursor })
export const balanceSchema = z.strictObject({ ...read, caip2: network.optional() })
export const usageSchema = z
  .strictObject({
    ...read,
    caip2: network.optional(),
    /** The window, half-open: from this millisecond on, and before that one. */
    fromMs: timeMs.optional(),
    toMs: timeMs.optional(),
    groupBy: z.enum(['none', 'day', 'from']).default('none'),
    limit: z.int().min(1).max(USAGE_LIMIT_MAX).default(LIMIT_MAX),
    cursor,
  })
  .refine(({ fromMs = 0, toMs = Infinity }) => fromMs <= toMs, { path: ['toMs'], message: 'must not be before fromMs' })
export const depositSchema = z.strictObject({
  organizationId,
  timestampMs,
  caip2: network.optional(),
  /** Wei. */
  amount: decimal().refine((value) => value > 0n, 'must be above 0'),
  /** Names the deposit for ever. */
  reference: z.string().min(1).max(128),
  note: z.string().max(256).optional(),
})
