import { object, text } from '../../signer-core/protocol/schema.ts'
import type { ReceiptDocument } from '../documents.ts'
import { activityOrRefuse } from './activity-or-refuse.ts'
import { defineQuery } from './query.ts'

/**
 * The receipts of an activity in the wire's form: r and s, and a public key of two halves, for encryption and for
 * signing. Ours only sign; each stands in both halves, as clients read only the second. Behind a receipt that is not
 * signed by the signer's identity comes the first of its chain, in which the identity names the key that signed it.
 */
export const listAppProofs = defineQuery({
  parameters: object({ activityId: text(64) }),
  async run({ activityId }, caller, parts) {
    const { _id, organizationId } = await activityOrRefuse(activityId, caller, parts)
    const own = await parts.receipts.ofActivity(organizationId, _id)
    const firsts = await Promise.all(own.map((receipt) => parts.receipts.firstOfChain(receipt)))
    const proofs = new Map([...own, ...firsts].flatMap((each) => (each === undefined ? [] : [[each._id, each]])))
    return { appProofs: [...proofs.values()].map(presentProof) }
  },
})

function presentProof({ publicKey, text: proofPayload, signature }: ReceiptDocument): object {
  return { scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256', publicKey: publicKey + publicKey, proofPayload, signature }
}
