/**
 * What the chain's state says of a mined batch. It is read while the state is there, and kept: a node that is no archive
 * forgets the state of a block soon, and where finality takes longer, or a gateway stood still, before the block is final.
 */
import type { Hash } from 'viem'
import type { Inclusion } from '../../../gateway/plugin-api.ts'
import type { ChainReads } from '../checks/chain-reads.ts'
import type { DelegateAdapter } from '../delegates/delegate.ts'
import { designatorOf } from '../delegates/designator.ts'
import { RelayError } from '../reasons.ts'
import type { Evidence, TransactionDocument } from './transaction.ts'

/** Blocks whose state every node has, as geth keeps them; what a node says of older ones, each words in its own way. */
const STATE_BLOCKS = 128n

export interface EvidenceReads {
  readonly account: Pick<ChainReads, 'code' | 'view'>
  /** May be ahead of those that `account` asks, or behind. */
  readonly head: Pick<ChainReads, 'height'>
}

/**
 * At the block of the receipt; when that is too old to be read, what holds without its state.
 * @throws {RelayError} `relay_chain_unavailable`
 */
export async function readEvidence(
  document: TransactionDocument,
  adapter: DelegateAdapter,
  { blockHash, blockNumber }: Inclusion,
  reads: EvidenceReads,
): Promise<Evidence> {
  try {
    return { blockHash, ...(await stateOf(document, adapter, reads, blockHash)) }
  } catch (error) {
    if (!(error instanceof RelayError) || (await reads.head.height()) - blockNumber <= STATE_BLOCKS) throw error
    // The guard reverts unless the account has the delegate, so behind a success the event is the delegate's own.
    if (adapter.proof === 'event') return { blockHash, isDelegated: true }
    // Nonces do not go back: what the account says now holds as well, while it has the delegate.
    return { blockHash, ...(await stateOf(document, adapter, reads)) }
  }
}

async function stateOf(
  { from, delegate, batchNonce }: TransactionDocument,
  adapter: DelegateAdapter,
  { account }: EvidenceReads,
  blockHash?: Hash,
): Promise<Omit<Evidence, 'blockHash'>> {
  // A node may skip an authorization and run the rest, which then succeeds and does nothing.
  const isDelegated = (await account.code(from, blockHash)) === designatorOf(delegate)
  if (!isDelegated || adapter.proof === 'event') return { isDelegated }
  const next = await adapter.nextNonce((data) => account.view(from, data, blockHash), BigInt(batchNonce))
  return next === undefined ? { isDelegated } : { isDelegated, nextNonce: String(next) }
}
