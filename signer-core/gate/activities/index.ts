/** The operations, one line per activity type. */
import type { ActivityTypeName } from '../../protocol/activity-types.ts'
import type { Operation } from '../operation.ts'
import { createPrivateKeysV1, createPrivateKeysV2 } from './create-private-keys.ts'
import { createWalletAccounts } from './create-wallet-accounts.ts'
import { createWallet } from './create-wallet.ts'
import { deletePrivateKeys } from './delete-private-keys.ts'
import { deleteWalletAccounts } from './delete-wallet-accounts.ts'
import { deleteWallets } from './delete-wallets.ts'
import { exportPrivateKey } from './export-private-key.ts'
import { exportWalletAccount } from './export-wallet-account.ts'
import { exportWallet } from './export-wallet.ts'
import { importPrivateKey } from './import-private-key.ts'
import { importWallet } from './import-wallet.ts'
import { initImportPrivateKey } from './init-import-private-key.ts'
import { initImportWallet } from './init-import-wallet.ts'
import { signRawPayloadV1, signRawPayloadV2 } from './sign-raw-payload.ts'
import { signRawPayloads } from './sign-raw-payloads.ts'
import { signTransactionV1, signTransactionV2 } from './sign-transaction.ts'
import { updateWallet } from './update-wallet.ts'

export const operations: Record<ActivityTypeName, Operation<never>> = {
  ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2: createPrivateKeysV2,
  ACTIVITY_TYPE_CREATE_PRIVATE_KEYS: createPrivateKeysV1,
  ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: exportPrivateKey,
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: initImportPrivateKey,
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: importPrivateKey,
  ACTIVITY_TYPE_DELETE_PRIVATE_KEYS: deletePrivateKeys,
  ACTIVITY_TYPE_CREATE_WALLET: createWallet,
  ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS: createWalletAccounts,
  ACTIVITY_TYPE_UPDATE_WALLET: updateWallet,
  ACTIVITY_TYPE_DELETE_WALLETS: deleteWallets,
  ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS: deleteWalletAccounts,
  ACTIVITY_TYPE_EXPORT_WALLET: exportWallet,
  ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT: exportWalletAccount,
  ACTIVITY_TYPE_INIT_IMPORT_WALLET: initImportWallet,
  ACTIVITY_TYPE_IMPORT_WALLET: importWallet,
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: signRawPayloads,
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: signTransactionV2,
  ACTIVITY_TYPE_SIGN_TRANSACTION: signTransactionV1,
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: signRawPayloadV2,
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: signRawPayloadV1,
}
