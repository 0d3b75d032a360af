/** Answers. The transaction in camelCase, as its `txHash` is; balance and usage in snake_case, as theirs are. */
import { balanceOf, type TankDocument } from '../tank/tank.ts'
import { gasTokenAmountOf, type TransactionDocument } from '../transactions/transaction.ts'

/** Before anybody is told of it, it is stored; `admitted` is asked for again by the same body only. */
const statusOf = {
  admitted: 'pending',
  refused: 'failed',
  pending: 'pending',
  broadcasted: 'broadcasted',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'expired',
} as const

/** @param confirmations null: not known. */
export function presentTransaction(document: TransactionDocument, confirmations: number | null): object {
  const { _id: id, organizationId, phase, network, from, delegate, batchDigest, hashes, epoch, closing } = document
  const gas = document.closed === true ? closing?.gas : undefined
  const failure = document.closed === true ? closing?.failure : document.reason
  return {
    id,
    organizationId,
    status: statusOf[phase],
    // Empty until a node may have one.
    txHash: phase === 'pending' || phase === 'admitted' ? '' : (gas?.hash ?? hashes.at(-1) ?? ''),
    txHashes: hashes,
    caip2: network,
    from,
    delegate,
    relayer: document.relayer ?? null,
    batchDigest,
    batch: { nonce: document.batchNonce, deadline: document.deadline, callCount: document.callCount },
    gasLimit: document.gasLimit,
    maxFeePerGas: document.feeCeiling,
    reserved: document.costMax,
    gasUsed: gas?.gasUsed ?? null,
    effectiveGasPrice: gas?.effectiveGasPrice ?? null,
    l1Fee: gas?.l1Fee ?? null,
    cost: document.closed === true ? (closing?.cost ?? null) : null,
    gas_token: document.gasPayment?.token ?? null,
    gas_token_amount: gasTokenAmountOf(document) ?? null,
    blockNumber: gas?.blockNumber ?? null,
    blockHash: gas?.blockHash ?? null,
    confirmations,
    reorgCount: epoch,
    failure: failure === undefined ? null : { code: failure },
    validUntil: String(Math.floor(document.validUntilMs / 1_000)),
    clientReference: document.clientReference ?? null,
    createdAt: timeOf(document.createdAtMs),
    updatedAt: timeOf(document.updatedAtMs),
  }
}

export function presentBalance(organizationId: string, network: string, tank: TankDocument, nowMs: number): object {
  const { deposited, debited, reserved } = tank
  const numbers = { deposited, debited, reserved, balance: String(balanceOf(tank)) }
  return { organization_id: organizationId, caip2: network, unit: 'wei', ...numbers, as_of_ms: String(nowMs) }
}

function timeOf(ms: number): { seconds: string; nanos: string } {
  return { seconds: String(Math.floor(ms / 1_000)), nanos: String((ms % 1_000) * 1_000_000) }
}
