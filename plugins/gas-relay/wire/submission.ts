/** The body of submit_transaction. */
import { z } from 'zod'
import { address, decimal, hex, hexOf, line, network, organizationId, timestampMs } from './fields.ts'

const UINT64_MAX = 2n ** 64n - 1n
/** Hard limits of the shape; the settings' are lower. */
const CALLS_MAX = 50
const CALL_DATA_BYTES_MAX = 49_152

const authorizationSchema = z.strictObject({
  chainId: z.int().min(0),
  address,
  /** Of EIP-2681 the last one that an account can have. */
  nonce: decimal(UINT64_MAX - 1n),
  yParity: z.union([z.literal(0), z.literal(1)]),
  r: hexOf(32),
  s: hexOf(32),
})

const callSchema = z.strictObject({
  to: address,
  value: decimal().prefault('0'),
  data: hex(CALL_DATA_BYTES_MAX).prefault('0x'),
})

const batchSchema = z.strictObject({
  calls: z.array(callSchema).min(1).max(CALLS_MAX),
  nonce: decimal(),
  /** Unix seconds. */
  deadline: decimal(),
  signature: hexOf(65),
})

export const submitSchema = z.strictObject({
  organizationId,
  timestampMs,
  type: z.literal('ACTIVITY_TYPE_RELAY_SUBMIT_TRANSACTION').optional(),
  parameters: z.strictObject({
    caip2: network,
    from: address,
    authorization: authorizationSchema.optional(),
    batch: batchSchema,
    /** Most gas that the caller wants used. */
    gasLimit: decimal().optional(),
    /** Most that may be reserved, wei. */
    maxCost: decimal().optional(),
    /** Unix seconds: not sent after this. */
    validUntil: decimal().optional(),
    /** For batches that pay for their gas with `transfer` to the collector; `quoteId` from quote_gas_payment. */
    gasPayment: z.strictObject({ gas_token: address, quoteId: hexOf(32).optional() }).optional(),
    clientReference: line(64).optional(),
  }),
})

export type SubmitBody = z.infer<typeof submitSchema>
export type Submission = SubmitBody['parameters']
export type Authorization = z.infer<typeof authorizationSchema>
