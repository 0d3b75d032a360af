import { RefusalError } from '../protocol/refusals.ts'
import type { PlanContext } from './operation.ts'

/**
 * What was never exported is deleted only when the body says that it may be: nobody could get it back.
 * @param code Clients know one of their own for wallet accounts. @throws {RefusalError} it.
 */
export function refuseNeverExported(
  ids: string[],
  deleteWithoutExport: boolean | undefined,
  { exportedIds }: PlanContext,
  field: string,
  code: 'NEVER_EXPORTED' | 'WALLET_ACCOUNT_NOT_EXPORTED' = 'NEVER_EXPORTED',
): void {
  if (deleteWithoutExport === true) return
  const at = ids.findIndex((id) => !exportedIds.includes(id))
  if (at === -1) return
  const message = 'was never exported; to delete it all the same, set deleteWithoutExport'
  throw new RefusalError(code, message, `${field}.${at}`)
}
