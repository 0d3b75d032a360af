/** What the gateway keeps, one specification per collection. Nothing here can hold a key in plaintext. */
import type {
  ImportTarget,
  NewKey,
  NewWallet,
  Notarized,
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

export interface ActivityDocument extends StoredDocument {
  organizationId: string
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
  /** Clients may know it as PENDING: from then on it cannot become `refused`. */
  shownPending?: boolean
  /** In `failed`, and in `refused` as a record of why. */
  failure?: { code: string; message: string }
  /** Id of the receipt that came with the stored outcome or failure. */
  receiptId?: string
}

export const activitiesSpec: CollectionSpec<ActivityDocument> = {
  name: 'activities',
  unique: [['organizationId', 'idempotencyKey']],
  indexes: [
    ['phase', 'createdAtMs'],
    ['organizationId', '_id'],
  ],
}

export interface OrganizationDocument extends StoredDocument, Notarized {
  updatedAtMs: number
}

export const organizationsSpec: CollectionSpec<OrganizationDocument> = {
  name: 'organizations',
  unique: [],
  indexes: [],
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

export interface WalletDocument extends MadeDocument, WalletFacts {
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
export interface ImportTargetDocument extends StoredDocument {
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
  /** The signer's identity, uncompressed, hex. */
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
