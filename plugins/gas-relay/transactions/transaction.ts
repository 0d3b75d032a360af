/**
 * One relay transaction in the store.
 *
 *   admitted ──▶ pending ──▶ broadcasted ──▶ confirmed
 *      │            │             ├────────▶ failed
 *      ▼            └─────────────┴────────▶ expired
 *   refused
 *
 * `admitted`: stored, nothing is set aside yet; nobody was told of it. `refused`: there was no room; the body may be sent
 * again. From `confirmed`, `failed` and `expired` nothing leads away, but a reorganization takes the gas back: then
 * `closing` and `closed` are gone, `epoch` is one more, and what comes of it in the end is settled again.
 */
import type { Address, Hash, Hex, SignedAuthorization } from 'viem'
import type { CollectionSpec, StoredDocument } from '../../../gateway/plugin-api.ts'
import type { GasPayment } from '../gas-token/gas-payment.ts'
import type { Reason } from '../reasons.ts'

export type Phase = 'admitted' | 'refused' | 'pending' | 'broadcasted' | 'confirmed' | 'failed' | 'expired'

export type FailureCode =
  | 'relay_reverted'
  | 'relay_effect_missing'
  | 'relay_superseded'
  | 'relay_signer_refused'
  | 'relay_cancelled'
  | 'relay_state_changed'

/** Where it was mined; amounts in wei, decimal digits. It belongs to the block: the same hash may cost something else elsewhere. */
export interface Gas {
  hash: Hash
  blockHash: Hash
  blockNumber: string
  gasUsed: string
  effectiveGasPrice: string
  l1Fee: string
}

/** What it came to: stored first, then the tank is told, then it is closed. */
export interface Closing {
  phase: 'confirmed' | 'failed' | 'expired'
  /** Wei, decimal digits; also of a cancel. */
  cost: string
  gas?: Gas
  /** Base units of the token that the mined transaction has paid. */
  gasTokenAmount?: string
  failure?: FailureCode
}

/** What the state of the chain says of a mined batch: see evidence.ts. */
export interface Evidence {
  /** It is of this block and of no other. */
  blockHash: Hash
  /** The account has the delegate that was expected. */
  isDelegated: boolean
  /** That the account takes afterwards, decimal digits; only where this is the delegate's proof. */
  nextNonce?: string
}

export interface TransactionDocument extends StoredDocument {
  organizationId: string
  /** Digest of the canonical body; of a refused one its own id, so that the body may be sent again. */
  requestKey: string
  phase: Phase
  network: string
  from: Address
  delegate: Address
  adapter: string
  batchDigest: Hex
  /** Decimal digits. */
  batchNonce: string
  /** Unix seconds, decimal digits. */
  deadline: string
  callCount: number
  /** What is sent. */
  to: Address
  data: Hex
  authorization?: { chainId: number; address: Address; nonce: number; yParity: number; r: Hex; s: Hex }
  gasLimit: string
  /** Wei per gas. */
  feeCeiling: string
  /** Wei. */
  costMax: string
  validUntilMs: number
  clientReference?: string
  /** Its batch pays for gas in a token. */
  gasPayment?: GasPayment
  /** Asked for; it counts while nothing is signed. */
  cancelled?: true
  reason?: Reason
  /** Attempts, oldest first. */
  hashes: Hash[]
  relayer?: Address
  /** Reorganizations that took its end back. */
  epoch: number
  /** Of the block that it was last seen in. */
  evidence?: Evidence
  closing?: Closing
  closed?: true
  /** The tank is being told that the end is taken back. */
  reopening?: true
  createdAtMs: number
  updatedAtMs: number
}

export const transactionsSpec: CollectionSpec<TransactionDocument> = {
  name: 'gasRelayTransactions',
  unique: [['organizationId', 'requestKey']],
  indexes: [
    ['organizationId', 'createdAtMs'],
    ['phase', 'updatedAtMs'],
  ],
}

/** Phases in which somebody has to do something. */
export const underWay: readonly Phase[] = ['admitted', 'pending', 'broadcasted']

export function isOver({ phase }: TransactionDocument): boolean {
  return !underWay.includes(phase)
}

/** undefined while there is no end, and after a reorganization; '0' for what paid nothing. */
export function gasTokenAmountOf({ gasPayment, closing, closed }: TransactionDocument): string | undefined {
  return gasPayment === undefined || closed !== true ? undefined : (closing?.gasTokenAmount ?? '0')
}

export function authorizationList({ authorization }: TransactionDocument): SignedAuthorization[] | undefined {
  return authorization === undefined ? undefined : [authorization]
}
