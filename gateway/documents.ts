/** What the gateway keeps, one specification per collection. Nothing here can hold a key in plaintext. */
import type { ImportTarget, NewKey, Notarized, Receipt, SealedKey } from '../signer-core/protocol/messages.ts'
import type { PrivateKeyFacts } from '../signer-core/protocol/private-key.ts'
import type { Stamp } from '../signer-core/protocol/stamp.ts'
import type { ActivityPhase } from './activities/phases.ts'
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
  exportedKeyIds?: string[]
  importTarget?: ImportTarget
  importTargetUsed?: boolean
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

export interface PrivateKeyDocument extends StoredDocument, PrivateKeyFacts {
  organizationId: string
  activityId: string
  sealedKey: SealedKey
  exported: boolean
  createdAtMs: number
  updatedAtMs: number
}

export const privateKeysSpec: CollectionSpec<PrivateKeyDocument> = {
  name: 'privateKeys',
  unique: [],
  indexes: [['organizationId', 'createdAtMs']],
}

/** Leads from an address or public key to a key. Only a hint: the signer checks that the key has the address. */
export interface KeyNameDocument extends StoredDocument {
  keyId: string
}

export const keyNamesSpec: CollectionSpec<KeyNameDocument> = { name: 'keyNames', unique: [], indexes: [] }

/** A user's import target; emptied when it has served, because the store deletes nothing. */
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
  keyNamesSpec,
  importTargetsSpec,
  receiptsSpec,
]
