import { digest } from 'keystead:engine/engine@0.1.0'
import type { SignRawPayloads } from '../../protocol/activities/sign-raw-payloads.ts'
import { namedKey } from '../named-key.ts'
import type { Operation } from '../operation.ts'
import { payloadToSign } from '../payload.ts'
import { presentSignature, signAll, signingCommitment } from '../signing.ts'

/** All or none: one decision, one commitment to every payload, the signatures in the order of the payloads. */
export const signRawPayloads: Operation<SignRawPayloads> = {
  plan({ signWith, payloads, encoding, hashFunction }, context) {
    const { key, scheme } = namedKey(context.keys, signWith, 'parameters.signWith')
    const read = payloads.map((payload, i) =>
      payloadToSign({ payload, encoding, hashFunction }, key.curve, digest, `parameters.payloads.${i}`),
    )
    const toSign = read.map(({ message }) => ({ scheme, message }))
    return {
      commitment: signingCommitment('SIGN_RAW_PAYLOADS', key, toSign),
      facts: { payloads: read.map(({ facts }) => facts) },
      subject: { key },
      execute() {
        const signatures = signAll(key, context.organizationId, toSign)
        return {
          result: { signRawPayloadsResult: { signatures: signatures.map((each) => presentSignature(each, scheme)) } },
        }
      },
    }
  },
}
