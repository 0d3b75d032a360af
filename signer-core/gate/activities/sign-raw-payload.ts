import { digest } from 'keystead:engine/engine@0.1.0'
import type { SignRawPayload } from '../../protocol/activities/sign-raw-payload.ts'
import { namedKey } from '../named-key.ts'
import type { Operation, Plan, PlanContext } from '../operation.ts'
import { payloadToSign } from '../payload.ts'
import { presentSignature, signAll, signingCommitment } from '../signing.ts'

/** @param field Member of the parameters that names the key. */
function planSignRawPayload(parameters: SignRawPayload, context: PlanContext, field: string): Plan {
  const { key, scheme } = namedKey(context.keys, parameters.signWith, `parameters.${field}`)
  const { message, facts } = payloadToSign(parameters, key.curve, digest)
  const toSign = [{ scheme, message }]
  return {
    commitment: signingCommitment('SIGN_RAW_PAYLOAD', key, toSign),
    facts,
    subject: { key },
    execute() {
      const [signature] = signAll(key, context.organizationId, toSign)
      return { result: { signRawPayloadResult: presentSignature(signature as Uint8Array, scheme) } }
    },
  }
}

export const signRawPayloadV2: Operation<SignRawPayload> = {
  plan: (parameters, context) => planSignRawPayload(parameters, context, 'signWith'),
}

export const signRawPayloadV1: Operation<Omit<SignRawPayload, 'signWith'> & { privateKeyId: string }> = {
  plan: ({ privateKeyId, ...payload }, context) =>
    planSignRawPayload({ signWith: privateKeyId, ...payload }, context, 'privateKeyId'),
}
