import { object, text } from '../../signer-core/protocol/schema.ts'
import { activityOrRefuse } from './activity-or-refuse.ts'
import { defineQuery } from './query.ts'

/**
 * The receipts of an activity in the wire's form: r and s, and a public key of two halves, for encryption and for
 * signing. The signer's identity only signs; it stands in both, as clients read only the second.
 */
export const listAppProofs = defineQuery({
  parameters: object({ activityId: text(64) }),
  async run({ activityId }, caller, parts) {
    const { _id, organizationId } = await activityOrRefuse(activityId, caller, parts)
    const found = await parts.receipts.ofActivity(organizationId, _id)
    const appProofs = found.map(({ publicKey, text: proofPayload, signature }) => ({
      scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256',
      publicKey: publicKey + publicKey,
      proofPayload,
      signature,
    }))
    return { appProofs }
  },
})
