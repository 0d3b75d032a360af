/** The bytes of an attempt: what is given to the signer, and whether what comes back is that. */
import {
  keccak256,
  parseTransaction,
  serializeTransaction,
  type Address,
  type Hash,
  type Hex,
  type TransactionSerializable,
} from 'viem'
import type { AttemptDocument, SendDocument } from './documents.ts'
import { CANCEL_GAS } from './fees.ts'

/** Type 2, or type 4 with authorizations; a cancel sends nothing to the relayer itself. No value, ever. */
export function unsignedTransaction(
  { request, nonce }: Pick<SendDocument, 'request' | 'nonce'>,
  { kind, maxFeePerGas, maxPriorityFeePerGas }: AttemptDocument,
  from: Address,
  chainId: number,
): Hex {
  const fees = { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
  const common = { chainId, nonce, value: 0n, ...fees }
  if (kind === 'cancel') return serializeTransaction({ ...common, type: 'eip1559', to: from, gas: CANCEL_GAS })
  const { to, data, gasLimit, authorizationList } = request
  const call = { ...common, to, data, gas: BigInt(gasLimit) }
  return serializeTransaction(
    authorizationList === undefined ? { ...call, type: 'eip1559' } : { ...call, type: 'eip7702', authorizationList },
  )
}

/**
 * Checks what the signer returned before it is kept. That it was signed with the relayer's key is the signer's own check;
 * to recover the address again would cost more than everything else that is done here.
 * @throws {Error} for another transaction, which is a bug or worse.
 */
export function checkedHash(raw: Hex, unsigned: Hex): Hash {
  const { r: _r, s: _s, v: _v, yParity: _yParity, ...fields } = parseTransaction(raw)
  if (serializeTransaction(fields as TransactionSerializable) !== unsigned) throw new Error('signed something else')
  return keccak256(raw)
}
