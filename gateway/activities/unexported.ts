/** What only the store can tell of a sub-organization that is to be deleted: whether everything in it has left. */
import type { Refusal } from '../../signer-core/protocol/refusals.ts'
import type { ActivityDocument } from '../documents.ts'
import type { PrivateKeys } from '../private-keys/private-keys.ts'
import type { Wallets } from '../wallets/wallets.ts'

export interface UnexportedParts {
  privateKeys: PrivateKeys
  wallets: Wallets
}

/** @returns the refusal of a deletion that would lose a key or wallet, unless it says that this may be. */
export async function refuseUnexported(
  { type, organizationId, body }: ActivityDocument,
  { privateKeys, wallets }: UnexportedParts,
): Promise<Refusal | undefined> {
  if (type !== 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION') return undefined
  const { parameters } = JSON.parse(body) as { parameters: { deleteWithoutExport?: boolean | null } }
  if (parameters.deleteWithoutExport === true) return undefined
  const kept = [...(await privateKeys.list(organizationId)), ...(await wallets.list(organizationId))]
  if (kept.every(({ exported }) => exported)) return undefined
  const message = 'something in it was never exported; to delete it all the same, set deleteWithoutExport'
  return { code: 'NEVER_EXPORTED', message, field: 'parameters.deleteWithoutExport' }
}
