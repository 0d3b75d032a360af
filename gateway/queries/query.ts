import { parse, type Schema } from '../../signer-core/protocol/schema.ts'
import type { JsonObject } from '../../signer-core/protocol/strict-json.ts'
import type { ActivityDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/middleware/stamp.ts'
import type { PrivateKeys } from '../private-keys/private-keys.ts'
import type { SubOrganizations } from '../organizations/sub-organizations.ts'
import type { Receipts } from '../receipts/receipts.ts'
import type { Simulations } from '../simulations/simulations.ts'
import type { Collection } from '../store/store.ts'
import type { WalletAccounts } from '../wallets/wallet-accounts.ts'
import type { Wallets } from '../wallets/wallets.ts'

export interface QueryParts {
  activities: Collection<ActivityDocument>
  privateKeys: PrivateKeys
  receipts: Receipts
  simulations: Simulations
  subOrganizations: SubOrganizations
  wallets: Wallets
  walletAccounts: WalletAccounts
  nowMs: () => number
}

/** One query route. Every answer is scoped by the organization that the stamp has proved. */
interface QueryDefinition<P> {
  parameters: Schema<P>
  /** @throws {ApiError} `RESOURCE_NOT_FOUND`, the same for another organization's object as for none. */
  run: (parameters: P, caller: Caller, parts: QueryParts) => Promise<object>
}

export type Query = (body: JsonObject, caller: Caller, parts: QueryParts) => Promise<object>

export function defineQuery<P>({ parameters, run }: QueryDefinition<P>): Query {
  return async (body, caller, parts) => {
    const read = parse(parameters, body)
    if (!read.ok) throw ApiError.ofViolations(read.violations)
    return run(read.value, caller, parts)
  }
}
