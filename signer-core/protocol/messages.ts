/** What the frames carry: JSON, bytes as base64 or hexadecimal text. None of these types can hold a key in plaintext. */
import type { Curve } from './curves.ts'
import type { Refusal } from './refusals.ts'
import type { Stamp } from './stamp.ts'

export interface Notarized {
  text: string
  /** HMAC-SHA256, lower-case hex. */
  seal: string
}

export interface SealedKey {
  keyId: string
  curve: Curve
  /** SEC 1 uncompressed point or the 32 bytes of RFC 8032, lower-case hex. */
  publicKey: string
  /** `engine.wit`, base64. */
  sealed: string
}

export interface SealedWallet {
  walletId: string
  /** `engine.wit`, base64. */
  sealed: string
}

/** Where a user's imports are sealed to; the private half is sealed like a key. */
export interface ImportTarget {
  /** Uncompressed P-256 key, lower-case hex. */
  publicKey: string
  /** `engine.wit`, base64. */
  sealed: string
}

/** One entry of the signer's log. */
export interface Receipt {
  /** JSON, see `gate/receipt.ts`. */
  text: string
  /**
   * ECDSA P-256 over SHA-256 of the text: r and s, 128 lower-case hex digits. The first receipt of a chain is signed by
   * the signer's identity and names the key that signs the others.
   */
  signature: string
}

/** Up to where a gateway has stored a chain of receipts. */
export interface ChainMark {
  chainId: string
  sequence: number
}

/** What the gateway says of receipts, so that a host need not send or keep what it has. */
export interface ReceiptsStored {
  /** UUID; what was sent to a session once is not sent to it again. */
  session: string
  marks: ChainMark[]
}

/** Receipts of the same chain from before this call that may not be stored yet. */
export interface Backlog {
  /** The signer's identity, which signs the first of each chain: uncompressed, lower-case hex. */
  publicKey: string
  /** Of the host process, which signs the others; in the same form. */
  receiptKey: string
  chainId: string
  /** Everything up to here has been stored by some gateway. */
  storedUpTo: number
  /** Not yet sent to this session; in order. */
  receipts: Receipt[]
}

/** Frame kind `activity`; answered with `PerformAnswer`. */
export interface PerformCall {
  activityId: string
  /** The exact stamped bytes, base64. */
  body: string
  stamp: Stamp
  organization: Notarized
  keys: SealedKey[]
  /** The wallets that the body names. */
  wallets?: SealedWallet[]
  /** Ids of those keys and wallets that have left before; only deletions ask. */
  exportedIds?: string[]
  importTarget?: ImportTarget
  evaluation?: Notarized
  /** Absent: nothing is stored, send everything. */
  receipts?: ReceiptsStored
}

/** Frame kind `operator`: one of these. */
export type OperatorCall =
  /** Founding as JSON; answered with the notarized record. */
  | { foundOrganization: string }
  /** Answered with `Identity`. */
  | { identity: true }

export interface Identity {
  /** Uncompressed P-256 key that signs bundles, lower-case hex. */
  publicKey: string
}

export type EngineName = 'fast' | 'reference'

/** Answers a frame of kind `status`; the launcher itself says it. */
export interface SignerStatus {
  engine: EngineName
  /** SHA-256 of the component that decides and signs, lower-case hex. */
  componentDigest: string
  /** Command that builds the faster engine, when it is the slow one that runs for want of it. */
  fasterWith?: string
}

export interface NewKey {
  key: SealedKey
  /** `KeyFacts` as JSON. */
  facts: string
}

export interface NewWallet {
  wallet: SealedWallet
  /** `WalletFacts` as JSON. */
  facts: string
}

export interface Outcome {
  /** JSON of the activity's `result`. */
  result: string
  evaluation: Notarized
  newKeys: NewKey[]
  newWallets: NewWallet[]
  /** Takes the place of the user's former target. */
  importTarget?: ImportTarget
  /** JSON of a list of `Change`. */
  changes: string
  organizationVersion: number
  receipt: Receipt
}

/** Frame kind `answer`. */
export type Answer<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }

/** `later`: the host decides nothing more for this organization before its receipts are stored. */
export type PerformAnswer = (Answer<Outcome> | { ok: 'later' }) & { backlog?: Backlog }

/** Frame kind `transient`: nobody decided; the same call may be made again. */
export interface Transient {
  reason: 'busy' | 'deadline' | 'host-lost' | 'no-host'
}
