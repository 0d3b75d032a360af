import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { object, text, type TypeOf } from '../schema.ts'
import { encryptedBundle } from './import-private-key.ts'
import { accountList } from './wallet-accounts.ts'

export const importWalletSchema = object({
  userId: uuid,
  walletName: text(NAME_LENGTH_MAX),
  encryptedBundle,
  accounts: accountList(),
})
export type ImportWallet = TypeOf<typeof importWalletSchema>
