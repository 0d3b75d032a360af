import { boolean, object, optional, type TypeOf } from '../schema.ts'
import { uuid } from '../organization-record.ts'
import { accountList } from './wallet-accounts.ts'

/** `persist` false: the addresses are derived and answered, nothing is kept. */
export const createWalletAccountsSchema = object({
  walletId: uuid,
  accounts: accountList({ countMin: 1 }),
  persist: optional(boolean()),
})
export type CreateWalletAccounts = TypeOf<typeof createWalletAccountsSchema>

/** The paths that the activity takes for good. */
export function pathsTaken({ accounts, persist }: CreateWalletAccounts): string[] {
  return persist === false ? [] : accounts.map(({ path }) => path)
}
