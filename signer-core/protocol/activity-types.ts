/**
 * Every activity type on offer: where it is submitted, what its members are called on the wire, how its parameters
 * are read. Both sides walk this table; a type that is not in it is refused.
 */
import { createPrivateKeysSchema } from './activities/create-private-keys.ts'
import { createWalletSchema } from './activities/create-wallet.ts'
import { createWalletAccountsSchema, pathsTaken } from './activities/create-wallet-accounts.ts'
import { deletePrivateKeysSchema } from './activities/delete-private-keys.ts'
import { deleteWalletAccountsSchema } from './activities/delete-wallet-accounts.ts'
import { deleteWalletsSchema } from './activities/delete-wallets.ts'
import { exportPrivateKeySchema } from './activities/export-private-key.ts'
import { exportWalletSchema } from './activities/export-wallet.ts'
import { exportWalletAccountSchema } from './activities/export-wallet-account.ts'
import { importPrivateKeySchema } from './activities/import-private-key.ts'
import { importWalletSchema } from './activities/import-wallet.ts'
import { initImportPrivateKeySchema } from './activities/init-import-private-key.ts'
import { initImportWalletSchema } from './activities/init-import-wallet.ts'
import { signRawPayloadV1Schema, signRawPayloadV2Schema } from './activities/sign-raw-payload.ts'
import { signRawPayloadsSchema } from './activities/sign-raw-payloads.ts'
import { signTransactionV1Schema, signTransactionV2Schema } from './activities/sign-transaction.ts'
import { updateWalletSchema } from './activities/update-wallet.ts'
import type { ActivityType } from './activity-type.ts'
import { organizationActivityTypes } from './organization-activity-types.ts'

const none = () => []
const signWith = (parameters: { signWith: string }) => [parameters.signWith]
const walletId = (parameters: { walletId: string }) => [parameters.walletId]
const privateKeyId = (parameters: { privateKeyId: string }) => [parameters.privateKeyId]

export const activityTypes = {
  ...organizationActivityTypes,
  ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2: {
    path: 'create_private_keys',
    intents: ['createPrivateKeysIntentV2', 'createPrivateKeysIntent'],
    parameters: createPrivateKeysSchema,
    keysNamed: none,
  },
  ACTIVITY_TYPE_CREATE_PRIVATE_KEYS: {
    path: 'create_private_keys',
    intents: ['createPrivateKeysIntent'],
    parameters: createPrivateKeysSchema,
    keysNamed: none,
  },
  ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: {
    path: 'export_private_key',
    intents: ['exportPrivateKeyIntent'],
    parameters: exportPrivateKeySchema,
    keysNamed: privateKeyId,
    keyKind: 'privateKey',
  },
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: {
    path: 'init_import_private_key',
    intents: ['initImportPrivateKeyIntent'],
    parameters: initImportPrivateKeySchema,
    keysNamed: none,
    importFlow: 'private-key',
  },
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: {
    path: 'import_private_key',
    intents: ['importPrivateKeyIntent'],
    parameters: importPrivateKeySchema,
    keysNamed: none,
    importFlow: 'private-key',
  },
  ACTIVITY_TYPE_DELETE_PRIVATE_KEYS: {
    path: 'delete_private_keys',
    intents: ['deletePrivateKeysIntent'],
    parameters: deletePrivateKeysSchema,
    keysNamed: (parameters: { privateKeyIds: string[] }) => parameters.privateKeyIds,
    keyKind: 'privateKey',
    asksExported: true,
  },
  ACTIVITY_TYPE_CREATE_WALLET: {
    path: 'create_wallet',
    intents: ['createWalletIntent'],
    parameters: createWalletSchema,
    keysNamed: none,
  },
  ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS: {
    path: 'create_wallet_accounts',
    intents: ['createWalletAccountsIntent'],
    parameters: createWalletAccountsSchema,
    keysNamed: none,
    walletsNamed: walletId,
    pathsTaken,
  },
  ACTIVITY_TYPE_UPDATE_WALLET: {
    path: 'update_wallet',
    intents: ['updateWalletIntent'],
    parameters: updateWalletSchema,
    keysNamed: none,
    walletsNamed: walletId,
  },
  ACTIVITY_TYPE_DELETE_WALLETS: {
    path: 'delete_wallets',
    intents: ['deleteWalletsIntent'],
    parameters: deleteWalletsSchema,
    keysNamed: none,
    walletsNamed: (parameters: { walletIds: string[] }) => parameters.walletIds,
    asksExported: true,
  },
  ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS: {
    path: 'delete_wallet_accounts',
    intents: ['deleteWalletAccountsIntent'],
    parameters: deleteWalletAccountsSchema,
    keysNamed: (parameters: { walletAccountIds: string[] }) => parameters.walletAccountIds,
    keyKind: 'walletAccount',
    asksExported: true,
  },
  ACTIVITY_TYPE_EXPORT_WALLET: {
    path: 'export_wallet',
    intents: ['exportWalletIntent'],
    parameters: exportWalletSchema,
    keysNamed: none,
    walletsNamed: walletId,
  },
  ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT: {
    path: 'export_wallet_account',
    intents: ['exportWalletAccountIntent'],
    parameters: exportWalletAccountSchema,
    keysNamed: (parameters: { address: string }) => [parameters.address],
    keyKind: 'walletAccount',
  },
  ACTIVITY_TYPE_INIT_IMPORT_WALLET: {
    path: 'init_import_wallet',
    intents: ['initImportWalletIntent'],
    parameters: initImportWalletSchema,
    keysNamed: none,
    importFlow: 'wallet',
  },
  ACTIVITY_TYPE_IMPORT_WALLET: {
    path: 'import_wallet',
    intents: ['importWalletIntent'],
    parameters: importWalletSchema,
    keysNamed: none,
    importFlow: 'wallet',
  },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: {
    path: 'sign_raw_payloads',
    intents: ['signRawPayloadsIntent'],
    parameters: signRawPayloadsSchema,
    keysNamed: signWith,
  },
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: {
    path: 'sign_transaction',
    intents: ['signTransactionIntentV2', 'signTransactionIntent'],
    parameters: signTransactionV2Schema,
    keysNamed: signWith,
  },
  ACTIVITY_TYPE_SIGN_TRANSACTION: {
    path: 'sign_transaction',
    intents: ['signTransactionIntent'],
    parameters: signTransactionV1Schema,
    keysNamed: privateKeyId,
  },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: {
    path: 'sign_raw_payload',
    intents: ['signRawPayloadIntentV2', 'signRawPayloadIntent'],
    parameters: signRawPayloadV2Schema,
    keysNamed: signWith,
  },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: {
    path: 'sign_raw_payload',
    intents: ['signRawPayloadIntent'],
    parameters: signRawPayloadV1Schema,
    keysNamed: privateKeyId,
  },
} as const satisfies Record<string, ActivityType>

/** Types that clients know and that cannot be carried here, each with the reason. */
export const unsupportedActivityTypes: Readonly<Record<string, string>> = {
  ACTIVITY_TYPE_CREATE_POLICY: 'selectors are not supported: use ACTIVITY_TYPE_CREATE_POLICY_V3',
  ACTIVITY_TYPE_CREATE_POLICY_V2: 'selectors are not supported: use ACTIVITY_TYPE_CREATE_POLICY_V3',
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION:
    'authenticators are not supported: use ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
}

export type ActivityTypeName = keyof typeof activityTypes

export function isActivityTypeName(type: string): type is ActivityTypeName {
  return Object.hasOwn(activityTypes, type)
}
