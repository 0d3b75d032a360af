/** What the sending engine keeps. Amounts are decimal strings in wei. */
import type { Address, Hash, Hex } from 'viem'
import type { CollectionSpec, StoredDocument } from '../../store/store.ts'
import type { SendFailure, SendState } from '../sender.ts'

/**
 * All nonces of one relayer that are not behind us. The next nonce is where the list ends, so no counter can drift and
 * no nonce can be given out twice: every change is one compare-and-set of this document. `_id`: chain and address.
 */
export interface LaneDocument extends StoredDocument {
  /** The nonce of the first slot. All below it were used, finally. */
  floor: number
  /** Which send has the nonce; null: given back, because nothing was ever signed for it. */
  slots: (string | null)[]
}

export const lanesSpec: CollectionSpec<LaneDocument> = { name: 'chainLanes', unique: [], indexes: [] }

export type AttemptKind = 'original' | 'bump' | 'cancel'

/** One set of bytes for the nonce. Its fields are stored before it is signed, its bytes before they are sent. */
export interface AttemptDocument {
  kind: AttemptKind
  maxFeePerGas: string
  maxPriorityFeePerGas: string
  /** Of the signing activity: the same one whoever asks for it. */
  timestampMs: string
  raw?: Hex
  hash?: Hash
  /** Height of the head when it was first given to the nodes. */
  sentAtBlock?: number
  /** The signer said no: there are no bytes. */
  refused?: true
  /** A node called the bytes invalid: they can never be mined. */
  invalid?: true
}

export interface StoredAuthorization {
  address: Address
  chainId: number
  nonce: number
  r: Hex
  s: Hex
  yParity: number
}

export interface InclusionDocument {
  /** Place of the attempt that was mined. */
  attempt: number
  blockHash: Hash
  blockNumber: number
  status: 'success' | 'reverted'
  gasUsed: string
  effectiveGasPrice: string
  l1Fee: string
  logs: { address: Address; topics: Hex[]; data: Hex }[]
}

/** `_id`: the sender's name and the caller's key. */
export interface SendDocument extends StoredDocument {
  sender: string
  state: SendState
  /** `_id` of the lane; empty before `claimed`. */
  lane: string
  /** -1 before `claimed`. */
  nonce: number
  request: {
    to: Address
    data: Hex
    gasLimit: string
    feeCeiling: string
    authorizationList?: StoredAuthorization[]
    affinity?: string
  }
  validUntilMs: number
  attempts: AttemptDocument[]
  inclusion?: InclusionDocument
  /** Height at which the nonce was first seen used, finally, with no attempt in any block. */
  absentSinceBlock?: number
  failure?: SendFailure
  /** 1: `onChange` has not returned for what is stored. */
  untold: number
  createdAtMs: number
}

export const sendsSpec: CollectionSpec<SendDocument> = {
  name: 'chainSends',
  unique: [],
  indexes: [
    ['sender', 'state', 'createdAtMs'],
    ['sender', 'untold', 'createdAtMs'],
    ['lane', 'nonce', 'createdAtMs'],
  ],
}

/** Whether nothing is to be done any more, unless the chain is reorganized deeper than it should be. */
export function isEnded({ state }: Pick<SendDocument, 'state'>): boolean {
  return state === 'final' || state === 'replaced' || state === 'failed'
}
