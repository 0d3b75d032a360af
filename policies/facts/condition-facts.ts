/** Everything that the condition of a policy is evaluated over, from what the gate knows of one activity. */
import type { JsonObject } from '../../signer-core/protocol/strict-json.ts'
import type { Votes } from '../consensus.ts'
import type { Struct } from '../language/values.ts'
import { activityFacts } from './activity.ts'
import { payloadFacts } from './payloads.ts'
import { readFacts } from './read-facts.ts'
import { keywords } from './schema.ts'

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
  return payloadFacts(payloads).map((facts) => readFacts(keywords.condition, { ...facts, ...keys, activity }))
}

/** @param approvers Users as in `schema.ts`. @param credentials The credentials with which they vote. */
export function voteFacts(approvers: JsonObject[], credentials: JsonObject[]): Votes {
  const facts = readFacts(keywords.consensus, { approvers, credentials })
  return { approvers: facts.get('approvers') as Struct[], credentials: facts.get('credentials') as Struct[] }
}
