/**
 * What jco makes of the composed component (`dist/signer.js`, instantiation mode `sync`). Written by hand from
 * `wit/`, so that the host type-checks before the component is built.
 */
import type { Curve } from '../protocol/curves.ts'

export interface GateNotarized {
  text: string
  seal: Uint8Array
}

export interface GateKeyRecord {
  keyId: string
  curve: Curve
  publicKey: Uint8Array
  sealed: Uint8Array
}

export interface GateWalletRecord {
  walletId: string
  sealed: Uint8Array
}

export interface GateImportTarget {
  publicKey: Uint8Array
  sealed: Uint8Array
}

export interface GateRequest {
  activityId: string
  body: string
  bodyDigest: Uint8Array
  stampScheme: string
  stampPublicKey: string
  nowMs: bigint
  organization: GateNotarized
  organizationVersionSeen: bigint
  keys: GateKeyRecord[]
  wallets: GateWalletRecord[]
  exportedIds: string[]
  importTarget: GateImportTarget | undefined
  evaluation: GateNotarized | undefined
  place: GateReceiptPlace
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
  result: string
  evaluation: GateNotarized
  newKeys: { key: GateKeyRecord; facts: string }[]
  newWallets: { wallet: GateWalletRecord; facts: string }[]
  changes: string
  importTarget: GateImportTarget | undefined
  organizationVersion: bigint
  receipt: GateReceipt
}

/** `perform` and `foundOrganization` throw a ComponentError whose `payload` is the refusal; anything else that they throw is a bug. */
export interface Gate {
  perform(request: GateRequest): GateOutcome
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
