/**
 * What a scheme is: how one kind of payment is read, judged, sent and found again. The facilitator around it knows no
 * chain; everything a chain has its own word for stays in the scheme's folder.
 */
import type { PluginHost } from '../../../gateway/plugin-api.ts'
import type { Authorization, Terms } from '../payment.ts'
import type { Refusal } from '../reasons.ts'
import type { Settings } from '../settings.ts'

export interface SchemeMember {
  /** `<scheme>-<family>`, as its folder is called. */
  readonly name: string
  /** Its own reasons and when each is given, beside the common ones. */
  readonly reasons: Readonly<Record<string, string>>
  /** @returns undefined when the settings or the host have no chain for it. */
  open(host: PluginHost, settings: Settings, hooks: SendHooks): Promise<Scheme | undefined>
}

/** How a scheme asks back. A `sendKey` is the facilitator's name for one try to settle. */
export interface SendHooks {
  /** Asked just before something is signed for it. @throws when nobody can tell: ask again. */
  mayStillSend(sendKey: string): Promise<boolean>
  /** Something is new about it: `look` says what. */
  onChange(sendKey: string): Promise<void>
}

export interface Scheme {
  /** As the wire has it, for instance `cash`. */
  readonly scheme: string
  /** CAIP-2. */
  readonly network: string
  readonly signersPattern: string
  /** Who fronts the costs; empty when the operator has configured nobody. */
  signers(): Promise<string[]>
  /** What is said of an authorization that has been used. */
  readonly usedRefusal: Refusal
  /** The payer of a payload that may be anything, as it is written there; empty when none can be read. */
  payerOf(payload: unknown): string
  /** @returns undefined when the payload is malformed. Pure. */
  read(payload: unknown, terms: Terms): Authorization | undefined
  /** Whether the asset is one that the scheme can settle. Pure. */
  knowsAsset(asset: string): boolean
  /**
   * Whether the payer signed exactly this, and it is what the seller asks for.
   * @param known `detail` of the same key that passed before.
   */
  checkSigned(authorization: Authorization, terms: Terms, known?: Authorization['detail']): Promise<Refusal | undefined>
  /** Whether it could be settled now: its time, and the state of the chain. Reads only. */
  checkNow(authorization: Authorization): Promise<Refusal | undefined>
  /** What settling it would take, checked against the chain as well. Reads only. */
  prepare(authorization: Authorization): Promise<Prepared | Refusal>
  /** Hands it to the sending engine; the same key does nothing twice. @throws {SendLater} */
  send(sendKey: string, authorization: Authorization, prepared: Prepared): Promise<void>
  /** Where it stands. Reads only. @throws when the chain does not answer. */
  look(sendKey: string, authorization: Authorization, plan: Prepared['plan']): Promise<Progress>
  /** Returns when `look` may have something new to say, or after the time. */
  wait(sendKey: string, withinMs: number): Promise<void>
}

export interface Prepared {
  /** The most it can cost the operator, in the unit of the budgets. */
  readonly costMax: bigint
  /** The scheme's own, plain JSON: it is stored with the claim. */
  readonly plan: Readonly<Record<string, string>>
}

export type Progress =
  | { readonly state: 'notSent' }
  | { readonly state: 'underWay'; readonly transaction?: string }
  | {
      readonly state: 'paid'
      readonly transaction: string
      /** Somebody else handed in the payer's authorization. */
      readonly byOther: boolean
      /** No reorganization is expected to undo it any more. */
      readonly final: boolean
      /** What it has cost the operator, once that is final. */
      readonly cost?: bigint
    }
  /** It will never be paid by this try. */
  | { readonly state: 'unpaid'; readonly refusal: Refusal; readonly cost: bigint }

/** Nothing was sent and trying again later may help. */
export class SendLater extends Error {
  override name = 'SendLater'
}

/** The operator has configured nobody who could pay. */
export class SendImpossible extends Error {
  override name = 'SendImpossible'
}
