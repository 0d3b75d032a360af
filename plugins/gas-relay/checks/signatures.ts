/** Who signed an authorization or a batch, by the chain's rules: a node skips what does not keep them. */
import { hexToBigInt, slice, type Address, type Hex } from 'viem'
import { hashAuthorization } from 'viem/utils'
import { recoverSigner } from '../../../gateway/plugin-api.ts'
import type { DelegateAdapter, SignedBatch } from '../delegates/delegate.ts'
import { RelayError } from '../reasons.ts'
import type { Authorization } from '../wire/submission.ts'

/** SEC 2, section 2.4.1; half of it: EIP-2, which EIP-7702 repeats. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = ORDER / 2n

/**
 * Of `from`, for this chain and no other. Chain id 0 would install the delegate wherever the nonce fits.
 * @throws {RelayError} `relay_authorization_chain_mismatch`, `relay_authorization_signature_mismatch`
 */
export async function checkAuthorization(authorization: Authorization, from: Address, chainId: number): Promise<void> {
  if (authorization.chainId !== chainId) throw new RelayError('relay_authorization_chain_mismatch')
  const { r, s, yParity, address, nonce } = authorization
  const tuple = { address, chainId, nonce: Number(nonce) }
  const isWellFormed = isInRange(r, s) && Number.isSafeInteger(tuple.nonce)
  if (!isWellFormed || (await recoverSigner(hashAuthorization(tuple), { r, s, yParity })) !== from) {
    throw new RelayError('relay_authorization_signature_mismatch')
  }
}

/** @throws {RelayError} `relay_batch_signature_mismatch` @returns the digest that was signed. */
export async function checkBatchSignature(
  adapter: DelegateAdapter,
  batch: SignedBatch,
  from: Address,
  chainId: number,
): Promise<Hex> {
  const { signature } = batch
  const digest = adapter.digest(batch, from, chainId)
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), hexToBigInt(slice(signature, 64))]
  const isWellFormed = isInRange(r, s) && (v === 27n || v === 28n)
  if (!isWellFormed || (await recoverSigner(digest, { r, s, yParity: v === 27n ? 0 : 1 })) !== from) {
    throw new RelayError('relay_batch_signature_mismatch')
  }
  return digest
}

function isInRange(r: Hex, s: Hex): boolean {
  const [rValue, sValue] = [BigInt(r), BigInt(s)]
  return rValue > 0n && rValue < ORDER && sValue > 0n && sValue <= HALF_ORDER
}
