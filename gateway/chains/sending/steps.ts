/**
 * The steps of one send, up to where nodes have its bytes. Each ends in one compare-and-set; whoever loses it takes what
 * the winner has stored. Fields are stored before they are signed, bytes before they are sent.
 */
import type { Address } from 'viem'
import type { SendFailure } from '../sender.ts'
import type { AttemptDocument, AttemptKind, SendDocument } from './documents.ts'
import { bumped, cancelCeilingOf, firstOffer, within, type Fees } from './fees.ts'
import type { EngineParts } from './parts.ts'
import { mayLeadTo } from './send-states.ts'
import { checkedHash, unsignedTransaction } from './transaction.ts'

/** The same bytes again: a node may have forgotten them, and says so to nobody. */
const RESEND_AFTER_MS = 10_000
/** Refused, or doubtful, for so long, a send is given up. */
const SHUT_OUT_MS = 30_000
/** After an answer other than yes. */
const ASK_AGAIN_MS = 1_000

interface Offered {
  /** Of the attempt whose bytes went last. */
  readonly place: number
  /** How often they went. */
  readonly times: number
  /** When they go again. */
  readonly againAtMs: number
  /** Since when nodes refuse them for the sake of an account with a delegation. */
  readonly shutOutSinceMs: number | undefined
}

/** Which lane may take one more, and whether a lane has room. */
export interface LaneChoice {
  choose(send: SendDocument): { id: string; hasRoom: (slots: readonly (string | null)[]) => boolean } | undefined
}

export class Steps {
  private readonly parts: EngineParts
  private readonly choice: LaneChoice
  private readonly stored: (send: SendDocument) => void
  /** What this process has given to the nodes of each send. */
  private readonly offered = new Map<string, Offered>()
  /** Sends that got their nonce in the step before, right after it was asked whether they still make sense. */
  private readonly justAsked = new Set<string>()
  /** Since when nobody could tell this process whether a send that has a nonce still makes sense, and the head of then. */
  private readonly doubts = new Map<string, { sinceMs: number; height: number }>()
  /** Of the last head that was seen. */
  height = 0

  /** @param stored Called with each document that this process has stored. */
  constructor(parts: EngineParts, choice: LaneChoice, stored: (send: SendDocument) => void) {
    this.parts = parts
    this.choice = choice
    this.stored = stored
  }

  /** Takes it as far as it will go now. */
  async advance(send: SendDocument): Promise<SendDocument> {
    for (let current = send; ;) {
      const next = await this.step(current)
      if (next.v === current.v) return next
      current = next
    }
  }

  /** A further attempt at the nonce; `advance` signs and sends it. @returns the same document when no fee will do. */
  async addAttempt(send: SendDocument, kind: AttemptKind): Promise<SendDocument> {
    const fees = await this.feesOf(send, kind)
    if (fees === undefined) return send
    const attempt: AttemptDocument = {
      kind,
      maxFeePerGas: fees.maxFeePerGas.toString(),
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
      timestampMs: String(this.parts.nowMs()),
    }
    const next = await this.replace(send, { ...send, attempts: [...send.attempts, attempt] })
    if (next.v === send.v + 1) this.parts.metrics.attempt(kind)
    return next
  }

  /** Gives the bytes of an attempt to the nodes, for the first time or again. */
  async broadcast(send: SendDocument, place: number): Promise<SendDocument> {
    const attempt = send.attempts[place] as AttemptDocument & { raw: `0x${string}` }
    const answer = await this.parts.reader.send(attempt.raw)
    const { logger, nowMs } = this.parts
    const before = this.offered.get(send._id)
    const times = before?.place === place ? before.times + 1 : 1
    const againAtMs = nowMs() + (answer === 'taken' ? RESEND_AFTER_MS : ASK_AGAIN_MS)
    const shutOutSinceMs = answer === 'delegated' ? (before?.shutOutSinceMs ?? nowMs()) : undefined
    this.offered.set(send._id, { place, times, againAtMs, shutOutSinceMs })
    const facts = { send: send._id, nonce: send.nonce, answer }
    if (answer === 'taken') logger.debug(facts, 'send_broadcast')
    else logger.warn(facts, 'send_not_taken')
    const maybeThere = ['taken', 'unknown', 'nonce_used', 'underpriced'].includes(answer)
    const said: AttemptDocument = {
      ...attempt,
      sentAtBlock: attempt.sentAtBlock ?? this.height,
      ...(answer === 'invalid' && { invalid: true as const }),
    }
    const state = send.state === 'signed' && maybeThere ? 'broadcast' : send.state
    if (state === send.state && said.sentAtBlock === attempt.sentAtBlock && said.invalid === attempt.invalid)
      return send
    return this.replace(send, { ...send, state, attempts: send.attempts.with(place, said) })
  }

  /** At once for what this process has never sent. */
  isResendDue(id: string): boolean {
    return this.parts.nowMs() >= (this.offered.get(id)?.againAtMs ?? -Infinity)
  }

  /** Whether the bytes that were offered last have been offered again. */
  isResent(id: string): boolean {
    return (this.offered.get(id)?.times ?? 0) > 1
  }

  /**
   * Whether nodes have refused it for long because of the account whose authorization it carries: with transactions of its own
   * waiting in the pool that account could keep a nonce, and all after it, for as long as it likes.
   */
  isShutOut(id: string): boolean {
    const sinceMs = this.offered.get(id)?.shutOutSinceMs
    return sinceMs !== undefined && this.parts.nowMs() - sinceMs >= SHUT_OUT_MS
  }

  forget(id: string): void {
    this.offered.delete(id)
    this.doubts.delete(id)
  }

  /** The document first, then the nonce: so nobody has a nonce that another may sign for. */
  async fail(send: SendDocument, failure: SendFailure): Promise<SendDocument> {
    const failed = await this.replace(send, { ...send, state: 'failed', failure })
    this.forget(send._id)
    if (failed.state === 'failed' && failed.nonce >= 0)
      await this.parts.lanes.giveBack(failed.lane, failed.nonce, failed._id)
    return failed
  }

  /** @returns what is stored afterwards: `next`, or what somebody else has stored meanwhile. */
  async replace(send: SendDocument, next: SendDocument): Promise<SendDocument> {
    if (!mayLeadTo(send.state, next.state)) throw new Error(`${send.state} may not lead to ${next.state}`)
    const isNews = next.state !== send.state && this.parts.options.onChange !== undefined && !isFill(send)
    const changed = isNews ? { ...next, untold: 1 } : next
    if (!(await this.parts.sends.compareAndSet(send, changed))) return this.load(send._id)
    const stored = { ...changed, v: send.v + 1 }
    this.stored(stored)
    return stored
  }

  async load(id: string): Promise<SendDocument> {
    const send = await this.parts.sends.get(id)
    if (send === undefined) throw new Error('a send vanished')
    return send
  }

  private step(send: SendDocument): Promise<SendDocument> {
    const { state, attempts } = send
    if (state === 'accepted') return this.claim(send)
    if (state !== 'claimed' && state !== 'signed' && state !== 'broadcast') return Promise.resolve(send)
    if (attempts.length === 0) return this.begin(send)
    const unsigned = attempts.findIndex(({ raw, refused }) => raw === undefined && refused === undefined)
    if (unsigned !== -1) return this.sign(send, unsigned)
    const unsent = attempts.findIndex(({ raw, sentAtBlock }) => raw !== undefined && sentAtBlock === undefined)
    return unsent === -1 ? Promise.resolve(send) : this.broadcast(send, unsent)
  }

  private async claim(send: SendDocument): Promise<SendDocument> {
    if (this.parts.nowMs() > send.validUntilMs) return this.fail(send, 'send_expired')
    const { lanes } = this.parts
    const lane = this.choice.choose(send)
    if (lane === undefined || !(await lanes.isFree(lane.id, send._id, lane.hasRoom))) return send
    // Asked before it has a nonce: while nobody can tell, those after it must not wait.
    if (!(await this.isWanted(send))) return this.fail(send, 'send_withdrawn')
    const nonce = await lanes.claim(lane.id, send._id, lane.hasRoom)
    if (nonce === undefined) return send
    const claimed = await this.replace(send, { ...send, state: 'claimed', lane: lane.id, nonce })
    if (claimed.v === send.v + 1) this.justAsked.add(send._id)
    return claimed
  }

  /** @throws {RpcUnavailableError} when nobody can tell. */
  private async isWanted({ _id, sender }: SendDocument): Promise<boolean> {
    const { mayStillSend } = this.parts.options
    return mayStillSend === undefined || mayStillSend(_id.slice(sender.length + 1))
  }

  private async begin(send: SendDocument): Promise<SendDocument> {
    const isAsked = this.justAsked.delete(send._id)
    if (isFill(send)) return this.addAttempt(send, 'cancel')
    if (this.parts.nowMs() > send.validUntilMs) return this.fail(send, 'send_expired')
    if (isAsked) return this.addAttempt(send, 'original')
    try {
      return (await this.isWanted(send))
        ? await this.addAttempt(send, 'original')
        : await this.fail(send, 'send_withdrawn')
    } catch (error) {
      return this.doubt(send, error)
    }
  }

  /**
   * It has its nonce, others need that, and no process may give a nonce back that another could claim for the same send
   * meanwhile: so the send waits for a while, and ends then. Not while the chain itself is away, when others cannot go on
   * either.
   */
  private doubt(send: SendDocument, error: unknown): Promise<SendDocument> {
    const nowMs = this.parts.nowMs()
    const doubt = this.doubts.get(send._id) ?? { sinceMs: nowMs, height: this.height }
    this.doubts.set(send._id, doubt)
    if (nowMs - doubt.sinceMs < SHUT_OUT_MS || this.height === doubt.height) throw error
    return this.fail(send, 'send_expired')
  }

  private async sign(send: SendDocument, place: number): Promise<SendDocument> {
    const { keys, settings, logger } = this.parts
    const attempt = send.attempts[place] as AttemptDocument
    const from = send.lane.slice(send.lane.lastIndexOf('/') + 1) as Address
    const unsigned = unsignedTransaction(send, attempt, from, settings.chainId)
    const signed = await keys.sign(from, unsigned, attempt.timestampMs)
    if (signed.status === 'later') return send
    if (signed.status === 'refused') {
      logger.error({ send: send._id, nonce: send.nonce, kind: attempt.kind, code: signed.code }, 'send_refused')
      if (send.state === 'claimed') return this.fail(send, 'send_refused')
      return this.replace(send, { ...send, attempts: send.attempts.with(place, { ...attempt, refused: true }) })
    }
    const hash = checkedHash(signed.raw, unsigned)
    const attempts = send.attempts.with(place, { ...attempt, raw: signed.raw, hash })
    return this.replace(send, { ...send, attempts, state: send.state === 'claimed' ? 'signed' : send.state })
  }

  private async feesOf(
    { attempts, request, validUntilMs }: SendDocument,
    kind: AttemptKind,
  ): Promise<Fees | undefined> {
    const offer = firstOffer(await this.parts.reader.feeMarket(this.height))
    const { options, nowMs } = this.parts
    const ofCancel = cancelCeilingOf(request, options.feeCeiling, nowMs() - validUntilMs)
    const ceiling = kind === 'cancel' ? ofCancel : BigInt(request.feeCeiling)
    return attempts.length === 0 ? within(offer, ceiling) : bumped(attempts, offer, ceiling)
  }
}

/** The engine's own sends, which only use a nonce up. */
export function isFill({ sender, _id }: Pick<SendDocument, 'sender' | '_id'>): boolean {
  return _id.startsWith(`${sender}/fill `)
}
