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
  /**
   * `KeyCertificate` under the signer's seal: what policies may know of the key besides its id. Without it, policies
   * that ask err.
   */
  certificate?: Notarized
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

/** A vote as its voter has stamped it: the body of an `approve_activity` or `reject_activity`. */
export interface Vote {
  /** Id of the vote's own activity. */
  activityId: string
  /** The exact stamped bytes, base64. */
  body: string
  stamp: Stamp
}

/** The activity that a vote is about, as it waits. */
export interface Target extends Vote {
  /** Those that it has already. */
  votes: Vote[]
  /** Of the outcome `CONSENSUS_NEEDED`. */
  evaluation: Notarized
}

/** What an activity names, brought along. */
export interface Named {
  keys: SealedKey[]
  wallets?: SealedWallet[]
  /** Ids of those keys and wallets that have left before; only deletions ask. */
  exportedIds?: string[]
  importTarget?: ImportTarget
}

/** Frame kind `activity`; answered with `PerformAnswer`. */
export interface PerformCall extends Named {
  activityId: string
  /** The exact stamped bytes, base64. */
  body: string
  stamp: Stamp
  organization: Notarized
  /** The stored one, of an activity that has waited; with `votes` it must be there. */
  evaluation?: Notarized
  /** What has come in since. Those that lapsed, or whose credential is gone, are as if not given. */
  votes?: Vote[]
  /** When the activity is a vote; `keys` and so on are then the target's. */
  target?: Target
  /** Absent: nothing is stored, send everything. */
  receipts?: ReceiptsStored
}

/** A policy that is not stored; empty expressions hold always. */
export interface PolicyText {
  policyId: string
  effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  condition?: string
  consensus?: string
  time?: string
}

/** Who would act, by the word of the gateway. */
export interface Subject {
  userId: string
  /** Of the API key; absent: the user's first. */
  publicKey?: string
}

/**
 * Frame kind `activity`, too; answered with `SimulateAnswer`. Decides and does nothing: no stamp, no receipt, nothing
 * that an execution would believe.
 */
export interface SimulateCall extends Named {
  dryRun: true
  activityId: string
  /** Base64. */
  body: string
  organization: Notarized
  /** The submitter first, then whoever would approve. */
  subjects: Subject[]
  /** Milliseconds since the epoch, for rules about time; absent: now. */
  atMs?: number
  /** In place of the organization's. */
  candidatePolicies?: PolicyText[]
}

export interface PolicyEvaluation {
  policyId: string
  /** `OUTCOME_*`, see policies/README.md. */
  outcome: string
}

export interface Simulation {
  /** `OUTCOME_ALLOW`, `OUTCOME_REQUIRES_CONSENSUS`, `OUTCOME_DENY_EXPLICIT` or `OUTCOME_DENY_IMPLICIT`. */
  outcome: string
  /** Empty when the policies were not asked, because the root quorum was reached or must be. */
  policyEvaluations: PolicyEvaluation[]
  /** Users whose voice would count while it waits. */
  voterIds: string[]
  organizationVersion: number
}

export type SimulateAnswer = Answer<Simulation>

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
  /** Hosts that have the data key and take calls, those that are working on one among them; 0: nothing can be signed. */
  readyHosts: number
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

/**
 * `CONSENSUS_NEEDED`: nothing was done, `result` is empty, and the evaluation says whose voices count. `REJECTED`:
 * somebody whose voice counts has rejected. Of a vote `COMPLETED` means that it counts.
 */
export type OutcomeStatus = 'COMPLETED' | 'CONSENSUS_NEEDED' | 'REJECTED'

export interface Outcome {
  status: OutcomeStatus
  /** JSON of the activity's `result`. */
  result: string
  /** Text: JSON of `EvaluationText`. */
  evaluation: Notarized
  newKeys: NewKey[]
  newWallets: NewWallet[]
  /** Takes the place of the user's former target. */
  importTarget?: ImportTarget
  /** JSON of a list of `Change`. */
  changes: string
  /** The next version, made from exactly the record that was brought; counts when it takes that one's place. */
  organization?: Notarized
  /** Version 1 of a new sub-organization; the new keys and wallets are then its own. */
  newOrganization?: Notarized
  /** Of the record that was brought. */
  organizationVersion: number
  receipt: Receipt
}

/** What an evaluation says; `gate/evaluation.ts` makes it. Digests are SHA-256 in lower-case hex. */
export interface EvaluationText {
  format: 2
  outcome: string
  activityId: string
  bodyDigest: string
  commitmentDigest: string
  organizationId: string
  organizationVersion: number
  policyEvaluations: PolicyEvaluation[]
  /** Ids of the votes that counted, the submitter's not among them. */
  voteIds: string[]
  /** While it waits: users whose voice counts, those who have voted among them. */
  voterIds: string[]
  /** Of a vote: outcome, evaluations, voices are those of this activity with the vote counted. */
  targetId?: string
}

/** Frame kind `answer`. */
export type Answer<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }

/** `later`: the host decides nothing more for this organization before its receipts are stored. */
export type PerformAnswer = (Answer<Outcome> | { ok: 'later' }) & { backlog?: Backlog }

/** Frame kind `transient`: nobody decided; the same call may be made again. */
export interface Transient {
  reason: 'busy' | 'deadline' | 'host-lost' | 'no-host'
}
