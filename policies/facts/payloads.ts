/**
 * From what the gate reads out of payloads and transactions to what policies see of them. Names and values are the
 * gate's own wherever they are the documented ones; here stands what differs.
 */
import { isJsonObject, type JsonObject } from '../../signer-core/protocol/strict-json.ts'

/**
 * @param facts As the gate's plans have them: `{ eth: { tx } }` and the like, nothing, or `{ payloads: [...] }` when
 * the activity signs several at once.
 * @returns one for each payload that differs from the others; each must be allowed.
 */
export function payloadFacts(facts: JsonObject = {}): JsonObject[] {
  if (!Array.isArray(facts.payloads)) return [documented(facts)]
  const distinct = new Map(facts.payloads.map((payload) => [JSON.stringify(payload), payload as JsonObject]))
  return [...distinct.values()].map(documented)
}

function documented(facts: JsonObject): JsonObject {
  const { solana } = facts
  if (!isJsonObject(solana) || !isJsonObject(solana.tx)) return facts
  const instructions = (solana.tx.instructions as JsonObject[]).map((instruction) => ({
    ...instruction,
    address_table_lookups: (instruction.address_table_lookups as JsonObject[]).map(tableLookup),
  }))
  return { ...facts, solana: { tx: { ...solana.tx, instructions } } }
}

/** An instruction names one index at a time; documented is the form of a whole transaction's lookups. */
function tableLookup({ address_table_key, index, writable }: JsonObject): JsonObject {
  const used = [index as number]
  return {
    address_table_key: address_table_key as string,
    writable_indexes: writable === true ? used : [],
    readonly_indexes: writable === true ? [] : used,
  }
}
