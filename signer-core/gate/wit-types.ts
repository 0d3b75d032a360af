import type { OutcomeStatus } from '../protocol/messages.ts'

/** The records of `wit/gate.wit` as QuickJS hands them over. */
export interface Notarized {
  text: string
  seal: Uint8Array
}

export interface KeyRecord {
  keyId: string
  curve: 'secp256k1' | 'ed25519' | 'p256'
  publicKey: Uint8Array
  sealed: Uint8Array
  certificate?: Notarized | null | undefined
}

export interface WalletRecord {
  walletId: string
  sealed: Uint8Array
}

export interface ImportTarget {
  publicKey: Uint8Array
  sealed: Uint8Array
}

export interface Stamped {
  activityId: string
  body: string
  bodyDigest: Uint8Array
  stampScheme: string
  stampPublicKey: string
}

export interface Target {
  stamped: Stamped
  votes: Stamped[]
  evaluation: Notarized
}

export interface RecordSeen {
  version: number | bigint
  digest: Uint8Array
}

/** What every request brings along. QuickJS hands an absent option over as null. */
export interface Brought {
  /** u64 in the WIT. */
  nowMs: number | bigint
  organization: Notarized
  organizationDigest: Uint8Array
  organizationSeen: RecordSeen | null | undefined
  keys: KeyRecord[]
  wallets: WalletRecord[]
  exportedIds: string[]
  importTarget: ImportTarget | null | undefined
}

export interface GateRequest extends Stamped, Brought {
  evaluation: Notarized | null | undefined
  votes: Stamped[]
  target: Target | null | undefined
  place: ReceiptPlace
}

export interface Subject {
  userId: string
  publicKey: string | null | undefined
}

export interface SimulationRequest extends Brought {
  activityId: string
  body: string
  bodyDigest: Uint8Array
  subjects: Subject[]
  candidatePolicies: string | null | undefined
}

export interface ReceiptPlace {
  chainId: string
  startedAtMs: number | bigint
  sequence: number | bigint
  previous: Uint8Array
  componentDigest: Uint8Array
  receiptKey: Uint8Array
}

export interface Receipt {
  text: string
  signature: Uint8Array | undefined
}

export interface NewKey {
  key: KeyRecord
  facts: string
}

export interface NewWallet {
  wallet: WalletRecord
  facts: string
}

export interface GateOutcome {
  status: OutcomeStatus
  result: string
  evaluation: Notarized
  newKeys: NewKey[]
  newWallets: NewWallet[]
  changes: string
  importTarget: ImportTarget | undefined
  organization: Notarized | undefined
  newOrganization: Notarized | undefined
  organizationVersion: number
  receipt: Receipt
}
