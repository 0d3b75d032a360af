/** Everything that the condition of a policy is evaluated over, from what the gate knows of one activity. */
import type { JsonObject } from '../../signer-core/protocol/strict-json.ts'
import type { Votes } from '../consensus.ts'
import type { Struct } from '../language/values.ts'
import { activityFacts } from './activity.ts'
import { payloadFacts } from './payloads.ts'
import { readFacts } from './read-facts.ts'
import * as schema from './schema.ts'

/** What an activity does not have must be absent, so that rules about it err. Members as in `schema.ts`. */
export interface ActivitySubject {
  type: string
  /** As read from the body. */
  parameters: JsonObject
  /** As the gate reads them out of what is signed. */
  payloads?: JsonObject
  /** Of the key that signs or leaves. */
  private_key?: JsonObject
  wallet?: JsonObject
  wallets?: JsonObject[]
  wallet_account?: JsonObject
}

/** @returns one set of facts for each payload that the activity signs; one when it signs none. */
export function conditionFacts({ type, parameters, payloads, ...keys }: ActivitySubject): Struct[] {
  const activity = activityFacts(type, parameters)
  return payloadFacts(payloads).map((facts) => readFacts(schema.keywords.condition, { ...facts, ...keys, activity }))
}

/** @param approvers Users as in `schema.ts`. @param credentials The credentials with which they vote. */
export function voteFacts(approvers: JsonObject[], credentials: JsonObject[]): Votes {
  return { approvers: approvers.map(approverFacts), credentials: credentials.map(credentialFacts) }
}

/** @param user As in `schema.ts`. */
export function approverFacts(user: JsonObject): Struct {
  return readFacts(schema.user, user)
}

/** @param credential As in `schema.ts`. */
export function credentialFacts(credential: JsonObject): Struct {
  return readFacts(schema.credential, credential)
}
