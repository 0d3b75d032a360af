/**
 * The port of the sending engine: one transaction for each key, however often it is asked for and whatever dies in
 * between.
 *
 * The record is stored before anything is signed, the signed bytes before they are sent; only these bytes are ever sent
 * again. A higher fee is a further attempt at the same nonce. Signatures are activities of the operator's organization.
 */
import type { Address, Hash, Hex, SignedAuthorizationList } from 'viem'

/** Everything that an intent may become. What leads where: `send-states.ts`. */
export type SendState =
  /** Stored; no nonce yet. */
  | 'accepted'
  /** Has its nonce; nothing is signed. */
  | 'claimed'
  /** Signed bytes and their hash are stored; a node may know them or not. */
  | 'signed'
  /** A node has taken the bytes, or was asked to and did not say. */
  | 'broadcast'
  /** In a canonical block that may still be reorganized away, successful or reverted: see `inclusion`. */
  | 'included'
  /** In a block at the finality depth. Should the chain be reorganized deeper, it becomes `broadcast` again. */
  | 'final'
  /** Its nonce was used, finally, by something else: our own cancel, or somebody who has the key. */
  | 'replaced'
  /** Nothing that could be mined was ever sent. `failure` says why. */
  | 'failed'

export type SendFailure =
  /** `validUntilMs` passed before anything was signed, or blocks came for half a minute and nobody could say. */
  | 'send_expired'
  /** `mayStillSend` said no. */
  | 'send_withdrawn'
  /** The signer refused: the policy, the key, or the transaction. */
  | 'send_refused'

/** Where a transaction was mined. It belongs to the block: the same hash may come back with another one. */
export interface Inclusion {
  readonly hash: Hash
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly status: 'success' | 'reverted'
  readonly gasUsed: bigint
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint
  /** Wei, on chains of the OP stack; else 0. */
  readonly l1Fee: bigint
  /** Wei: gasUsed x effectiveGasPrice + l1Fee. */
  readonly cost: bigint
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

export interface SendRecord {
  readonly key: string
  readonly state: SendState
  /** The relayer, from `claimed` on. */
  readonly from?: Address
  readonly nonce?: number
  /** Of all attempts to send this, oldest first; without cancels. Any of them may be the one that is mined. */
  readonly hashes: readonly Hash[]
  /** In `included` and `final`. */
  readonly inclusion?: Inclusion
  /** In `failed`. */
  readonly failure?: SendFailure
  /** Wei: what a cancel of this has cost, in `replaced`. */
  readonly cancelCost?: bigint
}

/** Amounts in wei per gas. */
export interface FeeQuote {
  /** What a first attempt would offer now. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** What bumps may go up to: reserve gas limit times this. Never above the sender's own ceiling. */
  readonly feeCeiling: bigint
}

export interface SendRequest {
  /** Names the intent for ever, 1 to 128 characters. The same key with another content changes nothing. */
  readonly key: string
  readonly to: Address
  readonly data: Hex
  /** Units. */
  readonly gasLimit: bigint
  /** Wei per gas: no attempt but a cancel offers more. */
  readonly feeCeiling: bigint
  /** Not signed after this, and cancelled when not mined by then. */
  readonly validUntilMs: number
  /** EIP-7702: makes it a transaction of type 4. */
  readonly authorizationList?: SignedAuthorizationList
  /** Sends with one affinity go over one relayer, in order. */
  readonly affinity?: string
}

export interface SenderOptions {
  /** kebab-case. Keys of different senders do not meet. */
  readonly name: string
  /** Names of private keys in the operator's organization, one lane for each. */
  readonly relayerKeys: readonly string[]
  /** Wei per gas: no attempt but a cancel offers more, whatever the request says. */
  readonly feeCeiling: bigint
  /** Asked before each first signature, also after a restart: whether the intent still makes sense. */
  readonly mayStillSend?: (key: string) => Promise<boolean>
  /**
   * Told of each change of state, at least once and again after a crash until it has returned. States in between may
   * be skipped: only the last one counts.
   */
  readonly onChange?: (record: SendRecord) => Promise<void>
}

export interface Sender {
  /** Those of the relayer keys that exist. Empty: not configured yet. */
  relayers(): Promise<Address[]>
  /** @throws {RpcUnavailableError} */
  quoteFees(): Promise<FeeQuote>
  /**
   * Stores the intent, or finds it under its key, and works on it: resolves with `broadcast` when all goes well, and
   * with how far it came when something does not answer; the engine goes on by itself.
   * @throws {SenderUnavailableError} when nothing was stored and trying again may help.
   */
  send(request: SendRequest): Promise<SendRecord>
  get(key: string): Promise<SendRecord | undefined>
  /**
   * Its time is over now: what is not signed fails as `send_expired`, what is signed and not mined gets a cancel for its
   * nonce at the next look, and may still be mined before that.
   * @returns undefined for a key that was never sent.
   */
  cancel(key: string): Promise<SendRecord | undefined>
  /**
   * The record as soon as it is in one of the states or at its end, or as it is after the time.
   * @throws {Error} for a key that was never sent.
   */
  waitFor(key: string, states: readonly SendState[], withinMs: number): Promise<SendRecord>
}

export type SenderUnavailableReason =
  /** None of the relayer keys exists, or there is no service key to sign with. */
  | 'relayer_not_configured'
  /** Every lane is full, stopped, or short of money. */
  | 'no_lane'

export class SenderUnavailableError extends Error {
  override name = 'SenderUnavailableError'
  readonly reason: SenderUnavailableReason
  constructor(reason: SenderUnavailableReason) {
    super(reason)
    this.reason = reason
  }
}
