import { randomUUIDv7 } from 'node:crypto'
import { BODY_BYTES_MAX } from '../../signer-core/protocol/limits.ts'
import { object, optional, text } from '../../signer-core/protocol/schema.ts'
import { readSubmitBody } from '../activities/submit-body.ts'
import { ApiError } from '../http/errors.ts'
import { parseBody } from '../http/middleware/body.ts'
import { candidatePolicies } from '../simulations/candidate-policies.ts'
import { defineQuery } from './query.ts'
import { userOrRefuse } from './user-or-refuse.ts'

/**
 * Keystead's own: what would become of a body, as the text that would be sent, if it were submitted now: by whoever asks
 * or by `userId`, under the organization's policies or under `policies`. No activity, no signature, no receipt.
 */
export const simulateActivity = defineQuery({
  parameters: object({
    body: text(BODY_BYTES_MAX),
    userId: optional(text(64)),
    policies: optional(candidatePolicies),
  }),
  async run({ body, userId, policies }, caller, { simulations }) {
    const { organizationId } = caller.organization
    const { user } = caller
    const subject = userId === undefined ? user : userOrRefuse(userId, caller)
    const read = readSubmitBody(parseBody(Buffer.from(body)))
    if (read.organizationId !== organizationId) throw new ApiError('ORGANIZATION_MISMATCH')
    const simulated = { _id: randomUUIDv7(), organizationId, type: read.type, body }
    const answer = await simulations.run({ ...simulated, subjects: [{ userId: subject.userId }] }, policies)
    if (!answer.ok) throw ApiError.ofRefusal(answer.refusal)
    return { simulation: answer.value }
  },
})
