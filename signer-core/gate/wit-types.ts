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
}

export interface WalletRecord {
  walletId: string
  sealed: Uint8Array
}

export interface ImportTarget {
  publicKey: Uint8Array
  sealed: Uint8Array
}

export interface GateRequest {
  activityId: string
  body: string
  bodyDigest: Uint8Array
  stampScheme: string
  stampPublicKey: string
  /** u64 in the WIT. */
  nowMs: number | bigint
  organization: Notarized
  organizationVersionSeen: number | bigint
  keys: KeyRecord[]
  wallets: WalletRecord[]
  exportedIds: string[]
  importTarget: ImportTarget | null | undefined
  evaluation: Notarized | null | undefined
  place: ReceiptPlace
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
  result: string
  evaluation: Notarized
  newKeys: NewKey[]
  newWallets: NewWallet[]
  changes: string
  importTarget: ImportTarget | undefined
  organizationVersion: number
  receipt: Receipt
}
