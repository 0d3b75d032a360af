/** Bodies of submit_transaction, as clients write them. */
import type { Address, SignedAuthorization } from 'viem'
import type { SignedBatch } from '../../../plugins/gas-relay/delegates/delegate.ts'

export function submissionOf(from: Address, batch: SignedBatch, authorization?: SignedAuthorization) {
  const { calls, nonce, deadline, signature } = batch
  return {
    caip2: 'eip155:84532',
    from,
    ...(authorization === undefined ? {} : { authorization: authorizationOf(authorization) }),
    batch: {
      calls: calls.map(({ to, value, data }) => ({ to, value: String(value), data })),
      nonce: String(nonce),
      deadline: String(deadline),
      signature,
    },
  }
}

function authorizationOf({ chainId, address, nonce, yParity, r, s }: SignedAuthorization) {
  return { chainId, address, nonce: String(nonce), yParity, r, s }
}
