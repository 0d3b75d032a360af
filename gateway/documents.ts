/** What the gateway keeps, one specification per collection. Nothing here can hold a key in plaintext. */
import type { VoteSelection } from '../signer-core/protocol/activities/vote.ts'
import type {
  ImportTarget,
  NewKey,
  NewWallet,
  Notarized,
  OutcomeStatus,
  PolicyEvaluation,
  Receipt,
  SealedKey,
  SealedWallet,
} from '../signer-core/protocol/messages.ts'
import type { PrivateKeyFacts } from '../signer-core/protocol/private-key.ts'
import type { Stamp } from '../signer-core/protocol/stamp.ts'
import type { WalletAccountFacts, WalletFacts } from '../signer-core/protocol/wallet.ts'
import type { ActivityPhase } from './activities/phases.ts'
import { lanesSpec, sendsSpec } from './chains/sending/documents.ts'
import type { CollectionSpec, StoredDocument } from './store/store.ts'

/** The right to take the next step, for a while. */
export interface Lease {
  /** A process, by an id of its own. */
  owner: string
  untilMs: number
}

/** What the signer has decided and what must be written for it; whoever stores it first has fixed it. */
export interface FixedOutcome {
  status: OutcomeStatus
  /** JSON of `result`. */
  result: string
  evaluation: Notarized
  /** Id of the receipt that came with it. */
  receiptId: string
  newKeys: NewKey[]
  newWallets: NewWallet[]
  /** JSON, as the signer said it. */
  changes: string
  importTarget?: ImportTarget
  newOrganization?: Notarized
}

/** A vote on an activity. Its own activity has the same id. */
export interface VoteEntry {
  voteId: string
  userId: string
  selection: VoteSelection
  /** The exact body that was stamped. */
  body: string
  stamp: Stamp
  createdAtMs: number
  /** Of the activity with this vote counted. */
  evaluation: Notarized
  receiptId: string
}

export interface ActivityDocument extends StoredDocument {
  organizationId: string
  /** Who submitted it. */
  userId: string
  /** SHA-256 of the RFC 8785 form of the body, hex. A refused activity gives it back: `refused/<id>`. */
  idempotencyKey: string
  /** `sha256:` and SHA-256 of the body bytes, hex. */
  fingerprint: string
  type: string
  phase: ActivityPhase
  /** The exact body; its bytes are its UTF-8. */
  body: string
  stamp: Stamp
  createdAtMs: number
  updatedAtMs: number
  /** JSON of `result`, from `executed` on. */
  result?: string
  evaluation?: Notarized
  /** Only in `executed`: what is still to be written. */
  newKeys?: NewKey[]
  newWallets?: NewWallet[]
  /** JSON, as the signer said it. */
  changes?: string
  importTarget?: ImportTarget
  newOrganization?: Notarized
  /** From when it began to wait: the votes of others, oldest first. */
  votes?: VoteEntry[]
  /** Of a vote that counts: the activity that it is about. */
  targetId?: string
  /** Clients may know it as PENDING: from then on it cannot become `refused`. */
  shownPending?: boolean
  /** In `failed`, and in `refused` as a record of why. */
  failure?: { code: string; message: string; policyEvaluations?: PolicyEvaluation[] }
  /** The member of the request that the failure blames. */
  failureField?: string
  /** Who works on it; in final phases nobody. */
  lease?: Lease
  /** Signer hosts that went down, or were killed at their deadline, over this activity. */
  hostsLost?: number
  /** Id of the receipt that came with the stored outcome or failure. */
  receiptId?: string
}

export const activitiesSpec: CollectionSpec<ActivityDocument> = {
  name: 'activities',
  unique: [['organizationId', 'idempotencyKey']],
  indexes: [
    ['phase', 'createdAtMs'],
    ['organizationId', '_id'],
    ['organizationId', 'fingerprint', '_id'],
  ],
}

export interface OrganizationDocument extends StoredDocument, Notarized {
  updatedAtMs: number
  /** The activity that made this version; absent in the first. */
  madeBy?: string
  /** What it came to, until somebody has seen it stored with the activity itself. */
  made?: FixedOutcome
}

export const organizationsSpec: CollectionSpec<OrganizationDocument> = {
  name: 'organizations',
  unique: [],
  indexes: [],
}

/** Leads from a name of a sub-organization, or of somebody in it, to the sub-organization. Only a hint. */
export interface SubOrganizationNameDocument extends StoredDocument {
  /** SHA-256 of parent, kind of name and name; `_id` is this and the sub-organization. */
  name: string
  organizationId: string
}

export const subOrganizationNamesSpec: CollectionSpec<SubOrganizationNameDocument> = {
  name: 'subOrganizationNames',
  unique: [],
  indexes: [['name', '_id']],
}

/** What an activity has made. It is never removed: a deleted one stays for the audit, without its sealed bytes. */
export interface MadeDocument extends StoredDocument {
  organizationId: string
  activityId: string
  /** Activity id and place in its request, so that lists come in order of creation. */
  order: string
  state: 'living' | 'deleted'
  deletedAtMs?: number
  exported: boolean
  createdAtMs: number
  updatedAtMs: number
}

export interface PrivateKeyDocument extends MadeDocument, PrivateKeyFacts {
  sealedKey: SealedKey
}

export const privateKeysSpec: CollectionSpec<PrivateKeyDocument> = {
  name: 'privateKeys',
  unique: [],
  indexes: [['organizationId', 'state', 'order']],
}

/** What activities change again and again, each with the last word when it ends. */
export interface ChangedDocument {
  /** Activities that did so last, the newest last: a process that stood still may carry out one of them again. */
  changedBy?: string[]
}

export interface WalletDocument extends MadeDocument, WalletFacts, ChangedDocument {
  sealedWallet: SealedWallet
}

export const walletsSpec: CollectionSpec<WalletDocument> = {
  name: 'wallets',
  unique: [],
  indexes: [['organizationId', 'state', 'order']],
}

/** `exported`: the account itself; with its wallet an account has left, too. */
export interface WalletAccountDocument extends MadeDocument, WalletAccountFacts {
  sealedKey: SealedKey
}

export const walletAccountsSpec: CollectionSpec<WalletAccountDocument> = {
  name: 'walletAccounts',
  unique: [],
  indexes: [
    ['organizationId', 'state', 'order'],
    ['walletId', 'state', 'order'],
    ['walletId', 'state', 'path', 'order'],
  ],
}

/**
 * A path of a wallet, taken by an activity: `_id` is wallet id and path, so each is taken once. Void when the activity
 * came to nothing or its account is deleted.
 */
export interface WalletPathDocument extends StoredDocument {
  activityId: string
}

export const walletPathsSpec: CollectionSpec<WalletPathDocument> = { name: 'walletPaths', unique: [], indexes: [] }

/**
 * Leads from an address or public key to the keys that have it: one key that was imported twice, or an account whose
 * key was imported, are two. Only a hint: the signer checks that the key has the address.
 */
export interface KeyNameDocument extends StoredDocument {
  /** Private keys and wallet accounts, oldest first. */
  keyIds: string[]
}

export const keyNamesSpec: CollectionSpec<KeyNameDocument> = { name: 'keyNames', unique: [], indexes: [] }

/** A user's import target of one flow; emptied when it has served, because the store deletes nothing. */
export interface ImportTargetDocument extends StoredDocument, ChangedDocument {
  target: ImportTarget | null
  updatedAtMs: number
}

export const importTargetsSpec: CollectionSpec<ImportTargetDocument> = {
  name: 'importTargets',
  unique: [],
  indexes: [],
}

/** One entry of the signer's log; `_id` is the chain's id and the sequence, so that it sorts as the log reads. */
export interface ReceiptDocument extends StoredDocument, Receipt {
  organizationId: string
  activityId: string
  /** What it is signed with, uncompressed, hex: the signer's identity in the first of a chain, else the key named there. */
  publicKey: string
}

export const receiptsSpec: CollectionSpec<ReceiptDocument> = {
  name: 'receipts',
  unique: [],
  indexes: [
    ['organizationId', '_id'],
    ['activityId', '_id'],
  ],
}

export const allSpecs = [
  activitiesSpec,
  organizationsSpec,
  subOrganizationNamesSpec,
  privateKeysSpec,
  walletsSpec,
  walletAccountsSpec,
  walletPathsSpec,
  keyNamesSpec,
  importTargetsSpec,
  receiptsSpec,
  lanesSpec,
  sendsSpec,
]
