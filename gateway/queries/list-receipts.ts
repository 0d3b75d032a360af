import { object, optional, pattern, type Schema } from '../../signer-core/protocol/schema.ts'
import type { ReceiptDocument } from '../documents.ts'
import { paginationLimit } from './pagination.ts'
import { defineQuery, type QueryParts } from './query.ts'

const idPattern = pattern(/^[0-9a-f-]{36}\/[0-9]{16}$/, 'a receipt id')
const flag: Schema<boolean> = { read: (value) => value === true }

/**
 * Keystead's own: the log of the organization, by chain and sequence. The next page is asked for with the id of the
 * last receipt; with `includeActivities` body and result of the activity come along, as they are stored.
 */
export const listReceipts = defineQuery({
  parameters: object({
    paginationOptions: optional(object({ limit: optional(paginationLimit), after: optional(idPattern) })),
    includeActivities: flag,
  }),
  async run({ paginationOptions, includeActivities }, { organization }, parts) {
    const limit = Number(paginationOptions?.limit ?? 100)
    const found = await parts.receipts.list(organization.organizationId, limit, paginationOptions?.after)
    const present = includeActivities ? withActivity : async (receipt: ReceiptDocument) => presentReceipt(receipt)
    return { receipts: await Promise.all(found.map((receipt) => present(receipt, parts))) }
  },
})

function presentReceipt({ _id: receiptId, text, signature }: ReceiptDocument): object {
  return { receiptId, text, signature }
}

async function withActivity(receipt: ReceiptDocument, { activities }: QueryParts): Promise<object> {
  const activity = await activities.get(receipt.activityId)
  return { ...presentReceipt(receipt), body: activity?.body, result: activity?.result }
}
