/**
 * One settlement in the store: one document for each (chain, asset, payer, nonce), whoever asks and however often.
 *
 *   claimed ──▶ sending ──▶ settled ──▶ final
 *      │           │  ▲        │
 *      ▼           ▼  └────────┘ reorganized away
 *   released ◀─────┘
 *
 * `claimed`: nobody else may settle it; no cost is set aside yet. `sending`: the cost is, and the sending engine may have
 * it. `settled`: the transfer is in a block. `final`: no reorganization is expected to undo it. `released`: nothing was or
 * will be paid by this try; another may claim it again.
 */
import type { CollectionSpec, StoredDocument } from '../../../gateway/plugin-api.ts'
import type { Authorization } from '../payment.ts'
import type { Refusal } from '../reasons.ts'

export type Phase = 'claimed' | 'sending' | 'settled' | 'final' | 'released'

/** What leads where. Everything else is a bug. */
export const leadsTo: Readonly<Record<Phase, readonly Phase[]>> = {
  claimed: ['sending', 'released'],
  sending: ['settled', 'final', 'released'],
  settled: ['final', 'sending', 'released'],
  final: [],
  released: ['claimed'],
}

export const unfinished: readonly Phase[] = ['claimed', 'sending', 'settled']

/** `_id` is the authorization's key. */
export interface SettlementDocument extends StoredDocument {
  phase: Phase
  /** Of this try; the sending engine and the budget know it by this. */
  sendKey: string
  scheme: string
  network: string
  payer: string
  payee: string
  asset: string
  /** Base units, decimal digits. */
  amount: string
  detail: Readonly<Record<string, unknown>>
  plan: Readonly<Record<string, string>>
  /** Most it can cost, decimal digits. */
  costMax: string
  /** The transfer, in `settled` and `final`. */
  transaction?: string
  /** Somebody else sent it. */
  byOther?: boolean
  /** Somebody was told of the success: each further answer is a repeat. */
  reported?: boolean
  /** What it has cost, decimal digits; in `final` and `released`. */
  cost?: string
  /** Why, in `released`. */
  refusal?: Refusal
  createdAtMs: number
  updatedAtMs: number
}

export const settlementsSpec: CollectionSpec<SettlementDocument> = {
  name: 'x402Settlements',
  unique: [],
  indexes: [
    ['phase', 'updatedAtMs'],
    ['sendKey', '_id'],
  ],
}

export function authorizationOf(settlement: SettlementDocument): Authorization {
  const { _id: key, payer, payee, asset, amount, detail } = settlement
  return { key, payer, payee, asset, amount: BigInt(amount), detail }
}

export function isInFlight(settlement: SettlementDocument | undefined): settlement is SettlementDocument {
  return settlement?.phase === 'claimed' || settlement?.phase === 'sending'
}

export function isPaid(settlement: SettlementDocument | undefined): settlement is SettlementDocument {
  return settlement?.phase === 'settled' || settlement?.phase === 'final'
}
