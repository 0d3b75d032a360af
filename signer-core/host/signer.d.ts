/**
 * What jco makes of the composed component (`dist/signer.js`, instantiation mode `sync`). Written by hand from
 * `wit/`, so that the host type-checks before the component is built.
 */
import type { Curve } from '../protocol/curves.ts'
import type { OutcomeStatus } from '../protocol/messages.ts'

export interface GateNotarized {
  text: string
  seal: Uint8Array
}

export interface GateKeyRecord {
  keyId: string
  curve: Curve
  publicKey: Uint8Array
  sealed: Uint8Array
  certificate?: GateNotarized | undefined
}

export interface GateWalletRecord {
  walletId: string
  sealed: Uint8Array
}

export interface GateImportTarget {
  publicKey: Uint8Array
  sealed: Uint8Array
}

export interface GateStamped {
  activityId: string
  body: string
  bodyDigest: Uint8Array
  stampScheme: string
  stampPublicKey: string
}

export interface GateTarget {
  stamped: GateStamped
  votes: GateStamped[]
  evaluation: GateNotarized
}

export interface GateRecordSeen {
  version: bigint
  digest: Uint8Array
}

interface GateBrought {
  nowMs: bigint
  organization: GateNotarized
  organizationDigest: Uint8Array
  organizationSeen: GateRecordSeen | undefined
  keys: GateKeyRecord[]
  wallets: GateWalletRecord[]
  exportedIds: string[]
  importTarget: GateImportTarget | undefined
}

export interface GateRequest extends GateStamped, GateBrought {
  evaluation: GateNotarized | undefined
  votes: GateStamped[]
  target: GateTarget | undefined
  place: GateReceiptPlace
}

export interface GateSimulationRequest extends GateBrought {
  activityId: string
  body: string
  bodyDigest: Uint8Array
  subjects: { userId: string; publicKey: string | undefined }[]
  candidatePolicies: string | undefined
}

export interface GateReceiptPlace {
  chainId: string
  startedAtMs: bigint
  sequence: bigint
  previous: Uint8Array
  componentDigest: Uint8Array
  receiptKey: Uint8Array
}

export interface GateReceipt {
  text: string
  signature: Uint8Array | undefined
}

export interface GateOutcome {
  status: OutcomeStatus
  result: string
  evaluation: GateNotarized
  newKeys: { key: GateKeyRecord; facts: string }[]
  newWallets: { wallet: GateWalletRecord; facts: string }[]
  changes: string
  importTarget: GateImportTarget | undefined
  organization: GateNotarized | undefined
  newOrganization: GateNotarized | undefined
  organizationVersion: bigint
  receipt: GateReceipt
}

/** `perform`, `simulate` and `foundOrganization` throw a ComponentError whose `payload` is the refusal; anything else that they throw is a bug. */
export interface Gate {
  perform(request: GateRequest): GateOutcome
  /** JSON of `Simulation`. */
  simulate(request: GateSimulationRequest): string
  foundOrganization(founding: string, nowMs: bigint): GateNotarized
  identity(): Uint8Array
}

export interface Vault {
  load(dataKey: Uint8Array): void
  wipe(): void
}

export interface Entropy {
  fill(length: number): Uint8Array
}

export declare function instantiate(
  getCoreModule: (path: string) => WebAssembly.Module,
  imports: { 'keystead:engine/entropy': Entropy },
  instantiateCore?: (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Instance,
): Record<string, unknown>
