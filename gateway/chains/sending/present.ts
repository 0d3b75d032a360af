/** A stored send as whoever asked for it sees it. */
import type { Address } from 'viem'
import type { Inclusion, SendRecord } from '../sender.ts'
import type { AttemptDocument, InclusionDocument, SendDocument } from './documents.ts'

/** Sends of one sender do not meet those of another, nor the engine's own, whose names hold a space. */
export function sendIdOf(sender: string, key: string): string {
  return `${sender}/${key}`
}

/** The relayer's address is the last part of the lane's id. */
export function laneIdOf(chainKey: string, address: Address): string {
  return `${chainKey}/${address.toLowerCase()}`
}

export function presentSend(send: SendDocument): SendRecord {
  const { _id, sender, state, lane, nonce, attempts, inclusion, failure } = send
  const mined = inclusion === undefined ? undefined : attempts[inclusion.attempt]
  const present = inclusion === undefined || mined === undefined ? undefined : presentInclusion(inclusion, mined)
  const isCancel = mined?.kind === 'cancel'
  return {
    key: _id.slice(sender.length + 1),
    state,
    ...(nonce >= 0 && { nonce, from: lane.slice(lane.lastIndexOf('/') + 1) as Address }),
    hashes: attempts.flatMap(({ kind, hash }) => (kind === 'cancel' || hash === undefined ? [] : [hash])),
    ...(present !== undefined && !isCancel && { inclusion: present }),
    ...(present !== undefined && isCancel && state === 'replaced' && { cancelCost: present.cost }),
    ...(failure !== undefined && { failure }),
  }
}

function presentInclusion(inclusion: InclusionDocument, { hash }: AttemptDocument): Inclusion | undefined {
  if (hash === undefined) return undefined
  const { blockHash, blockNumber, status, logs } = inclusion
  const gasUsed = BigInt(inclusion.gasUsed)
  const effectiveGasPrice = BigInt(inclusion.effectiveGasPrice)
  const l1Fee = BigInt(inclusion.l1Fee)
  const cost = gasUsed * effectiveGasPrice + l1Fee
  return { hash, blockHash, blockNumber: BigInt(blockNumber), status, gasUsed, effectiveGasPrice, l1Fee, cost, logs }
}
