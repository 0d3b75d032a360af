/**
 * The receipt chains of this process, one per organization, and what of them no gateway has stored yet.
 *
 * Why no gap can arise. Calls are handled one after the other, and a receipt is appended before its answer leaves. An
 * answer brings a gateway every receipt before its own that is neither stored nor was sent to the same session, and a
 * gateway stores a chain in order, or throws an answer away when one before it is missing. So whenever a receipt is
 * stored, all before it are. What is lost with this process, or evicted, is a tail: nobody was answered for it, its
 * activities are executed anew, and the chain goes on nowhere.
 */
import { createHash, randomUUIDv7 } from 'node:crypto'
import type { Backlog, ChainMark, Receipt } from '../protocol/messages.ts'
import type { GateReceiptPlace } from './signer.d.ts'

/** A gateway that stores nothing is not served beyond this. One receipt takes about 1.1 KB of an answer. */
export const UNSTORED_PER_CHAIN_MAX = 1_024
/** Over all chains; about 16 MB. */
const UNSTORED_MAX = 16_384
const CHAINS_MAX = 4_096
const SESSIONS_PER_CHAIN_MAX = 64

/** Entries of one organization: each names the one before it. */
export class ReceiptChain {
  /** Version 7, so that chains sort by their beginning. */
  readonly chainId = randomUUIDv7()
  private readonly startedAtMs: bigint
  private sequence = 0
  private previous: Uint8Array = new Uint8Array(32)
  private storedUpTo = 0
  /** From `storedUpTo + 1` to `sequence`. */
  private unstored: Receipt[] = []
  /** Up to where each session has been sent the chain, latest session last. */
  private readonly sentUpTo = new Map<string, number>()

  constructor(startedAtMs: bigint) {
    this.startedAtMs = startedAtMs
  }

  get unstoredCount(): number {
    return this.unstored.length
  }

  next(componentDigest: Uint8Array): Omit<GateReceiptPlace, 'receiptKey'> {
    const { chainId, startedAtMs, previous } = this
    return { chainId, startedAtMs, sequence: BigInt(this.sequence + 1), previous, componentDigest }
  }

  /** The receipt that the gate has made for `next`. */
  append(receipt: Receipt): void {
    this.sequence++
    this.previous = createHash('sha256').update(receipt.text).digest()
    this.unstored.push(receipt)
  }

  /** Marks of other chains, and of what was never issued, are none. */
  forgetStored(marks: ChainMark[]): void {
    for (const { chainId, sequence } of marks) {
      if (chainId !== this.chainId || sequence <= this.storedUpTo || sequence > this.sequence) continue
      this.unstored = this.unstored.slice(sequence - this.storedUpTo)
      this.storedUpTo = sequence
    }
  }

  /** What goes along with an answer to this session; from now on the session has it, and the answer's own receipt. */
  backlog(session: string | undefined, ownReceipt: boolean): Omit<Backlog, 'publicKey' | 'receiptKey'> {
    const { chainId, storedUpTo, sequence, unstored } = this
    const sent = session === undefined ? storedUpTo : Math.max(this.sentUpTo.get(session) ?? 0, storedUpTo)
    if (session !== undefined) this.markSent(session)
    const end = sequence - (ownReceipt ? 1 : 0)
    return { chainId, storedUpTo, receipts: unstored.slice(sent - storedUpTo, end - storedUpTo) }
  }

  private markSent(session: string): void {
    this.sentUpTo.delete(session)
    this.sentUpTo.set(session, this.sequence)
    if (this.sentUpTo.size > SESSIONS_PER_CHAIN_MAX) this.sentUpTo.delete(this.sentUpTo.keys().next().value as string)
  }
}

/** Not more than fits: whoever was used least lately begins a new chain the next time. */
export class ReceiptChains {
  private readonly nowMs: () => bigint
  /** Latest used last. */
  private readonly chains = new Map<string, ReceiptChain>()

  constructor(nowMs: () => bigint) {
    this.nowMs = nowMs
  }

  /** @param organizationId Untrusted: a chain that gets no receipt is not kept. */
  of(organizationId: string): ReceiptChain {
    return this.chains.get(organizationId) ?? new ReceiptChain(this.nowMs())
  }

  append(organizationId: string, chain: ReceiptChain, receipt: Receipt): void {
    chain.append(receipt)
    this.chains.delete(organizationId)
    this.chains.set(organizationId, chain)
    let unstored = 0
    for (const each of this.chains.values()) unstored += each.unstoredCount
    for (const [id, each] of this.chains) {
      if (id === organizationId || (unstored <= UNSTORED_MAX && this.chains.size <= CHAINS_MAX)) break
      this.chains.delete(id)
      unstored -= each.unstoredCount
    }
  }
}
