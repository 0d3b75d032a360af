/** What the versions of the wire have in common: the rest of the facilitator knows nothing else. */

/** What the seller asks for. */
export interface Terms {
  readonly scheme: string
  /** CAIP-2, for instance `toy:1`. */
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** In the asset's base units. */
  readonly amount: bigint
  /** Version 1 takes more than was asked for, version 2 does not. */
  readonly amountRule: 'atLeast' | 'exactly'
  readonly extra: Readonly<Record<string, unknown>>
}

export interface PaymentRequest {
  readonly version: 1 | 2
  /** The network by the name that was asked with; answers repeat it. */
  readonly networkName: string
  readonly terms: Terms
  /** The scheme's own part of the payment, unchecked. */
  readonly payload: unknown
}

/** A payment as its scheme read it. All text forms are canonical, so that equal things are equal strings. */
export interface Authorization {
  /** Unique to chain, asset, payer and nonce: what can be paid once only. At most 256 characters. */
  readonly key: string
  /** As the payer's chain writes it. */
  readonly payer: string
  readonly payee: string
  readonly asset: string
  /** What will move, in base units. */
  readonly amount: bigint
  /** All that the scheme needs to settle it, later and in another process: plain JSON. */
  readonly detail: Readonly<Record<string, unknown>>
}
