/**
 * What is done for a send that nodes have, at each look at the chain: find where it was mined, see whether that block
 * still stands, send its bytes again, offer more, cancel. Nothing final is decided upon one answer of one endpoint.
 */
import type { Hash } from 'viem'
import type { Receipt } from '../rpc/chain-reader.ts'
import type { InclusionDocument, SendDocument } from './documents.ts'
import { bestOf } from './fees.ts'
import type { EngineParts } from './parts.ts'
import { isFill, type Steps } from './steps.ts'

/** What one look has shown. */
export interface Look {
  /** Height of the head. */
  readonly height: number
  readonly baseFee: bigint
  /** How long the head has been the same. */
  readonly stillMs: number
  /** Transactions of the relayer up to the head. */
  readonly count: number
  /** Of the last block that counts as final, by the word of two endpoints; below zero when there is none. */
  readonly finalHeight: number
  /** Transactions up to that block, by the word of two. */
  finalCount(): Promise<number>
  /** undefined for a height that the node does not have. */
  blockHashAt(number: number): Promise<Hash | undefined>
}

/** Without being mined, then more is offered: Base makes 15 blocks in half a minute. */
const BUMP_AFTER_BLOCKS = 10
/**
 * Nor any other block, then more is offered for the lowest nonce: a chain that only mines what it is given makes no blocks
 * to count. Anvil 1.7 can keep a transaction waiting for ever whose predecessor was mined while it was being taken in; the
 * same bytes and later ones do not help it, another one with its nonce does. Longer than the slots of Ethereum.
 */
const BUMP_AFTER_STILL_MS = 15_000
/** A chain that has stopped for hours must not be offered the most when it goes on. */
const STILL_ATTEMPTS_MAX = 4
/** After the signer has refused a bump, or a cancel. */
const ASK_SIGNER_AGAIN_MS = 300_000
/** Between two readings that find no trace of a nonce that is used. */
const ABSENT_FOR_BLOCKS = 3
const ATTEMPTS_MAX = 30

export class Follow {
  private readonly parts: EngineParts
  private readonly steps: Steps
  private readonly drive: (send: SendDocument) => Promise<SendDocument>

  /** @param drive `advance` of the steps, once at a time for each send. */
  constructor(parts: EngineParts, steps: Steps, drive: (send: SendDocument) => Promise<SendDocument>) {
    this.parts = parts
    this.steps = steps
    this.drive = drive
  }

  async follow(send: SendDocument, look: Look): Promise<SendDocument> {
    if (send.state === 'accepted' || send.state === 'claimed') return this.drive(send)
    if (send.inclusion !== undefined) return this.followIncluded(send, send.inclusion, look)
    if (send.state === 'replaced') return send
    const mined = send.nonce < look.count ? await this.findMined(send, look) : undefined
    if (mined !== undefined) return this.include(send, mined, look)
    if (send.nonce < look.count) return this.followAbsent(send, look)
    return this.push(send, look)
  }

  /** Of all attempts, because any of them may have been mined; only in a block that stands where it says. */
  private async findMined({ attempts }: SendDocument, look: Look): Promise<InclusionDocument | undefined> {
    for (const [place, { hash }] of attempts.entries()) {
      if (hash === undefined) continue
      const receipt = await this.parts.reader.receipt(hash)
      if (receipt === undefined) continue
      if ((await look.blockHashAt(receipt.blockNumber)) === receipt.blockHash) return inclusionOf(receipt, place)
    }
    return undefined
  }

  private async include(send: SendDocument, inclusion: InclusionDocument, look: Look): Promise<SendDocument> {
    const { absentSinceBlock: _, ...rest } = send
    const isCancel = send.attempts[inclusion.attempt]?.kind === 'cancel'
    const next = await this.steps.replace(send, { ...rest, inclusion, state: isCancel ? send.state : 'included' })
    const { sentAtBlock } = send.attempts[0] ?? {}
    if (next.v === send.v + 1 && sentAtBlock !== undefined && !isCancel) {
      this.parts.metrics.included(inclusion.blockNumber - sentAtBlock)
    }
    return next.inclusion === undefined ? next : this.followIncluded(next, next.inclusion, look)
  }

  private async followIncluded(send: SendDocument, inclusion: InclusionDocument, look: Look): Promise<SendDocument> {
    const stands = await look.blockHashAt(inclusion.blockNumber)
    // A node that is behind does not know the block yet; that says nothing.
    if (stands === undefined) return send
    if (stands !== inclusion.blockHash) return this.removed(send)
    const isDeep = inclusion.blockNumber <= look.finalHeight
    if (!isDeep || send.state === 'final' || send.state === 'replaced') return send
    const { hash } = send.attempts[inclusion.attempt] ?? {}
    const receipt = hash === undefined ? undefined : await this.parts.reader.agreedReceipt(hash)
    if (!receipt || receipt.blockHash !== inclusion.blockHash) return send
    const isCancel = send.attempts[inclusion.attempt]?.kind === 'cancel'
    const agreed = inclusionOf(receipt, inclusion.attempt)
    return this.steps.replace(send, { ...send, inclusion: agreed, state: isCancel ? 'replaced' : 'final' })
  }

  /** Its block was reorganized away. The bytes are sent again at once: not every node remembers them. */
  private async removed(send: SendDocument): Promise<SendDocument> {
    const { inclusion: _, ...rest } = send
    this.parts.logger.warn({ send: send._id, nonce: send.nonce, was: send.state }, 'send_reorganized')
    const back = await this.steps.replace(send, { ...rest, state: 'broadcast' })
    return back.inclusion === undefined && back.state === 'broadcast' ? this.resend(back) : back
  }

  /** The nonce is used and no attempt is in any block: somebody else used it, or a node does not tell. */
  private async followAbsent(send: SendDocument, look: Look): Promise<SendDocument> {
    if (send.nonce >= (await look.finalCount())) return send
    if (send.absentSinceBlock === undefined) return this.steps.replace(send, { ...send, absentSinceBlock: look.height })
    if (look.height < send.absentSinceBlock + ABSENT_FOR_BLOCKS) return send
    for (const { hash } of send.attempts) {
      if (hash !== undefined && (await this.parts.reader.agreedReceipt(hash)) !== null) return send
    }
    this.parts.logger.error({ send: send._id, nonce: send.nonce }, 'nonce_used_by_others')
    return this.steps.replace(send, { ...send, state: 'replaced' })
  }

  /** Not mined yet. */
  private async push(send: SendDocument, look: Look): Promise<SendDocument> {
    const advanced = await this.drive(send)
    if (advanced.v !== send.v) return advanced
    const kind = this.isDead(send, look) || isFill(send) ? 'cancel' : 'bump'
    if (this.wantsMore(send, kind, look)) return this.offerMore(send, kind)
    // The same bytes once more, then more: where looks are far apart, the same would be due at each of them.
    if (this.isStill(send, look) && this.steps.isResent(send._id)) return this.offerMore(send, kind)
    return this.steps.isResendDue(send._id) ? this.resend(send) : send
  }

  /** Only its nonce is still to be used up. What has been cancelled once stays so. */
  private isDead({ _id, validUntilMs, attempts, nonce, request }: SendDocument, { count }: Look): boolean {
    if (this.parts.nowMs() > validUntilMs) return true
    if (attempts.some(({ kind, invalid }) => kind === 'cancel' || invalid === true)) return true
    // Of one without authorizations it is the relayer's own delegation: that lets it through after those before it.
    return request.authorizationList !== undefined && nonce === count && this.steps.isShutOut(_id)
  }

  /** Where no more fits, the same bytes have to do. */
  private async offerMore(send: SendDocument, kind: 'bump' | 'cancel'): Promise<SendDocument> {
    const more = send.attempts.length < ATTEMPTS_MAX ? await this.steps.addAttempt(send, kind) : send
    if (more.v !== send.v) return this.drive(more)
    return this.steps.isResendDue(send._id) ? this.resend(send) : send
  }

  private isStill({ attempts, nonce }: SendDocument, { stillMs, count }: Look): boolean {
    const last = attempts.at(-1)
    if (nonce !== count || last?.raw === undefined || last.refused === true) return false
    if (attempts.length >= STILL_ATTEMPTS_MAX) return false
    return Math.min(stillMs, this.parts.nowMs() - Number(last.timestampMs)) >= BUMP_AFTER_STILL_MS
  }

  private wantsMore({ attempts }: SendDocument, kind: 'bump' | 'cancel', { height, baseFee }: Look): boolean {
    const last = attempts.at(-1)
    if (last === undefined) return false
    const waited = height - (last.sentAtBlock ?? height) >= BUMP_AFTER_BLOCKS
    // A signer that said no to this kind is not asked at every block; its policy may be another later.
    const isRecent = this.parts.nowMs() - Number(last.timestampMs) < ASK_SIGNER_AGAIN_MS
    if (last.refused === true && last.kind === kind && isRecent) return false
    if (kind === 'cancel' && !attempts.some((each) => each.kind === 'cancel' && each.refused !== true)) return true
    return waited || bestOf(attempts).maxFeePerGas < baseFee
  }

  private async resend(send: SendDocument): Promise<SendDocument> {
    const place = send.attempts.findLastIndex(({ raw, invalid }) => raw !== undefined && invalid === undefined)
    return place === -1 ? send : this.steps.broadcast(send, place)
  }
}

function inclusionOf(receipt: Receipt, attempt: number): InclusionDocument {
  const { blockHash, blockNumber, status, gasUsed, effectiveGasPrice, l1Fee = 0n, logs } = receipt
  return {
    attempt,
    blockHash,
    blockNumber,
    status,
    gasUsed: gasUsed.toString(),
    effectiveGasPrice: effectiveGasPrice.toString(),
    l1Fee: l1Fee.toString(),
    logs,
  }
}
