import { UUID } from '../../signer-core/protocol/organization-record.ts'
import { object, text } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'
import { defineQuery } from './query.ts'

/**
 * The receipts of an activity in the wire's form: r and s, and a public key of two halves, for encryption and for
 * signing. The signer's identity only signs; it stands in both, as clients read only the second.
 */
export const listAppProofs = defineQuery({
  parameters: object({ activityId: text(64) }),
  async run({ activityId }, { organization: { organizationId } }, { activities, receipts }) {
    const activity = UUID.test(activityId) ? await activities.get(activityId) : undefined
    if (activity?.organizationId !== organizationId) {
      throw new ApiError('RESOURCE_NOT_FOUND', 'no activity found with the given ID')
    }
    const found = await receipts.ofActivity(organizationId, activityId)
    const appProofs = found.map(({ publicKey, text: proofPayload, signature }) => ({
      scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256',
      publicKey: publicKey + publicKey,
      proofPayload,
      signature,
    }))
    return { appProofs }
  },
})
