/** What the relay has to know of a delegate contract: one adapter for each interface, registered in `index.ts`. */
import type { Address, Hex } from 'viem'

export interface Call {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
}

/** Calls that an account's owner signs together. */
export interface Batch {
  readonly calls: readonly Call[]
  readonly nonce: bigint
  /** Unix seconds; the last one in which it may run. */
  readonly deadline: bigint
}

export interface SignedBatch extends Batch {
  /** r, s and v, 65 bytes. */
  readonly signature: Hex
}

export interface Log {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** Reads a view function of the account, at the block that the caller has chosen. Empty when there is no code. */
export type Read = (data: Hex) => Promise<Hex>

export interface DelegateAdapter {
  /** kebab-case; what the settings call it. */
  readonly name: string
  /** Of one batch. */
  readonly callsMax: number
  /** Largest nonce and deadline that the contract has room for. */
  readonly nonceMax: bigint
  readonly deadlineMax: bigint
  /** What the owner signs (EIP-712). */
  digest(batch: Batch, account: Address, chainId: number): Hex
  /** To be called at the account. */
  calldata(batch: SignedBatch): Hex
  /**
   * The nonce that the account takes next in the row of `nonce`.
   * @param read At an account that has this delegate. @returns undefined when that is not what answered.
   */
  nextNonce(read: Read, nonce: bigint): Promise<bigint | undefined>
  /** What shows that a batch has run: an event of the account's, or only the nonce that it takes next. */
  readonly proof: 'event' | 'nonce'
  /**
   * Whether exactly this batch has run.
   * @param logs Of the receipt. @param next The account's next nonce after it; only where that is the proof.
   */
  hasRun(
    batch: { nonce: bigint; digest: Hex },
    account: Address,
    logs: readonly Log[],
    next: bigint | undefined,
  ): boolean
}
