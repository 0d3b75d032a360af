/** What is stored of a request before anything is done for it. */
import type { SenderOptions, SendRequest } from '../sender.ts'
import type { SendDocument } from './documents.ts'
import { sendIdOf } from './present.ts'

/** @throws {RangeError} for an authorization without `yParity`, which nodes would not take. */
export function acceptedSend(
  request: SendRequest,
  { name, feeCeiling }: Pick<SenderOptions, 'name' | 'feeCeiling'>,
  createdAtMs: number,
): SendDocument {
  const { key, to, data, gasLimit, validUntilMs, authorizationList, affinity } = request
  const ceiling = request.feeCeiling < feeCeiling ? request.feeCeiling : feeCeiling
  const authorizations = authorizationList?.map(({ address, chainId, nonce, r, s, yParity }) => {
    if (yParity === undefined) throw new RangeError('an authorization without yParity')
    return { address, chainId, nonce, r, s, yParity }
  })
  return {
    _id: sendIdOf(name, key),
    v: 0,
    sender: name,
    state: 'accepted',
    lane: '',
    nonce: -1,
    request: {
      to,
      data,
      gasLimit: gasLimit.toString(),
      feeCeiling: ceiling.toString(),
      ...(authorizations !== undefined && { authorizationList: authorizations }),
      ...(affinity !== undefined && { affinity }),
    },
    validUntilMs,
    attempts: [],
    untold: 0,
    createdAtMs,
  }
}
