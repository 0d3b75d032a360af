/** What every operation of the relay's wire is handed, and what several of them do. */
import type { z } from 'zod'
import type { PluginHost, Sender, StampedRequest } from '../../../gateway/plugin-api.ts'
import type { ChainReads } from '../checks/chain-reads.ts'
import { RelayError } from '../reasons.ts'
import type { Settings } from '../settings.ts'
import type { Submit } from '../submit.ts'
import type { Carrier } from '../transactions/carrier.ts'
import type { TransactionDocument } from '../transactions/transaction.ts'
import type { UsageParts } from '../usage/debits.ts'
import { presentTransaction } from '../wire/present.ts'

export interface OperationParts extends UsageParts {
  readonly host: Pick<PluginHost, 'checkTimestamp' | 'nowMs'>
  readonly settings: Settings
  readonly submit: Submit
  readonly carrier: Carrier
  readonly reads: ChainReads
  readonly sender: () => Sender
}

/** @returns the body of the answer. @throws {RelayError} @throws {ApiError} */
export type Operation = (parts: OperationParts, request: StampedRequest) => Promise<object>

/** @throws {RelayError} `relay_invalid_request` with the path of the first member that does not fit. */
export function read<T extends z.ZodType>(schema: T, { json }: StampedRequest): z.infer<T> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  // The path of an unknown member would be the input's.
  throw new RelayError('relay_invalid_request', /^[\w.]{1,80}$/.test(path) ? { field: path } : {})
}

/** With the blocks from its own to the head, both counted: 0 while it is in none, null when the chain does not say. */
export async function shown({ sender, reads }: OperationParts, document: TransactionDocument): Promise<object> {
  const ended = document.closed === true ? document.closing?.gas?.blockNumber : undefined
  const block = ended ?? (await sender().get(document._id))?.inclusion?.blockNumber
  if (block === undefined) return presentTransaction(document, 0)
  const height = await reads.height().catch(() => undefined)
  if (height === undefined) return presentTransaction(document, null)
  // The height may have been asked for a moment before its block came.
  return presentTransaction(document, Math.max(1, Number(height - BigInt(block)) + 1))
}

/** @throws {RelayError} `relay_transaction_not_found`, also for another organization's. */
export async function ownTransaction(
  { transactions }: OperationParts,
  { organizationId }: StampedRequest,
  id: string,
): Promise<TransactionDocument> {
  const found = await transactions.get(id)
  const isOwn = found !== undefined && found.organizationId === organizationId && found.phase !== 'refused'
  if (!isOwn) throw new RelayError('relay_transaction_not_found')
  return found
}
