/** The operations, one line per activity type. */
import type { ActivityTypeName } from '../../protocol/activity-types.ts'
import type { Operation } from '../operation.ts'
import { createApiKeys } from './create-api-keys.ts'
import { createApiOnlyUsers } from './create-api-only-users.ts'
import { createPolicies } from './create-policies.ts'
import { createPolicy } from './create-policy.ts'
import { createPrivateKeyTag } from './create-private-key-tag.ts'
import { createPrivateKeysV1, createPrivateKeysV2 } from './create-private-keys.ts'
import {
  createSubOrganizationV2,
  createSubOrganizationV3,
  createSubOrganizationV4,
  createSubOrganizationV5,
  createSubOrganizationV6,
  createSubOrganizationV7,
  createSubOrganizationV8,
} from './create-sub-organization.ts'
import { createUserTag } from './create-user-tag.ts'
import { createUsers } from './create-users.ts'
import { createWalletAccounts } from './create-wallet-accounts.ts'
import { createWallet } from './create-wallet.ts'
import { deleteApiKeys } from './delete-api-keys.ts'
import { deletePolicies } from './delete-policies.ts'
import { deletePolicy } from './delete-policy.ts'
import { deletePrivateKeyTags } from './delete-private-key-tags.ts'
import { deletePrivateKeys } from './delete-private-keys.ts'
import { deleteSubOrganization } from './delete-sub-organization.ts'
import { deleteUserTags } from './delete-user-tags.ts'
import { deleteUsers } from './delete-users.ts'
import { deleteWalletAccounts } from './delete-wallet-accounts.ts'
import { deleteWallets } from './delete-wallets.ts'
import { exportPrivateKey } from './export-private-key.ts'
import { exportWalletAccount } from './export-wallet-account.ts'
import { exportWallet } from './export-wallet.ts'
import { importPrivateKey } from './import-private-key.ts'
import { importWallet } from './import-wallet.ts'
import { initImportPrivateKey } from './init-import-private-key.ts'
import { initImportWallet } from './init-import-wallet.ts'
import { removeOrganizationFeature } from './remove-organization-feature.ts'
import { setOrganizationFeature } from './set-organization-feature.ts'
import { signRawPayloadV1, signRawPayloadV2 } from './sign-raw-payload.ts'
import { signRawPayloads } from './sign-raw-payloads.ts'
import { signTransactionV1, signTransactionV2 } from './sign-transaction.ts'
import { updateOrganizationName } from './update-organization-name.ts'
import { updatePolicyV1, updatePolicyV2 } from './update-policy.ts'
import { updatePrivateKeyTag } from './update-private-key-tag.ts'
import { updateRootQuorum } from './update-root-quorum.ts'
import { updateUserEmail } from './update-user-email.ts'
import { updateUserName } from './update-user-name.ts'
import { updateUserPhoneNumber } from './update-user-phone-number.ts'
import { updateUserTag } from './update-user-tag.ts'
import { updateUser } from './update-user.ts'
import { updateWallet } from './update-wallet.ts'

/** They are about another activity: `gate/cast-vote.ts`. */
export type VoteTypeName = 'ACTIVITY_TYPE_APPROVE_ACTIVITY' | 'ACTIVITY_TYPE_REJECT_ACTIVITY'

export const operations: Record<Exclude<ActivityTypeName, VoteTypeName>, Operation<never>> = {
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
  ACTIVITY_TYPE_CREATE_API_KEYS_V2: createApiKeys,
  ACTIVITY_TYPE_CREATE_API_KEYS: createApiKeys,
  ACTIVITY_TYPE_DELETE_API_KEYS: deleteApiKeys,
  ACTIVITY_TYPE_CREATE_USERS_V4: createUsers,
  ACTIVITY_TYPE_CREATE_USERS_V3: createUsers,
  ACTIVITY_TYPE_CREATE_USERS_V2: createUsers,
  ACTIVITY_TYPE_CREATE_USERS: createUsers,
  ACTIVITY_TYPE_CREATE_API_ONLY_USERS: createApiOnlyUsers,
  ACTIVITY_TYPE_UPDATE_USER: updateUser,
  ACTIVITY_TYPE_UPDATE_USER_NAME: updateUserName,
  ACTIVITY_TYPE_UPDATE_USER_EMAIL: updateUserEmail,
  ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER: updateUserPhoneNumber,
  ACTIVITY_TYPE_DELETE_USERS: deleteUsers,
  ACTIVITY_TYPE_CREATE_POLICY_V3: createPolicy,
  ACTIVITY_TYPE_CREATE_POLICIES: createPolicies,
  ACTIVITY_TYPE_UPDATE_POLICY_V2: updatePolicyV2,
  ACTIVITY_TYPE_UPDATE_POLICY: updatePolicyV1,
  ACTIVITY_TYPE_DELETE_POLICY: deletePolicy,
  ACTIVITY_TYPE_DELETE_POLICIES: deletePolicies,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8: createSubOrganizationV8,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7: createSubOrganizationV7,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V6: createSubOrganizationV6,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V5: createSubOrganizationV5,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V4: createSubOrganizationV4,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3: createSubOrganizationV3,
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V2: createSubOrganizationV2,
  ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION: deleteSubOrganization,
  ACTIVITY_TYPE_UPDATE_ROOT_QUORUM: updateRootQuorum,
  ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME: updateOrganizationName,
  ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE: setOrganizationFeature,
  ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE: removeOrganizationFeature,
  ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG: createPrivateKeyTag,
  ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG: updatePrivateKeyTag,
  ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS: deletePrivateKeyTags,
  ACTIVITY_TYPE_CREATE_USER_TAG: createUserTag,
  ACTIVITY_TYPE_UPDATE_USER_TAG: updateUserTag,
  ACTIVITY_TYPE_DELETE_USER_TAGS: deleteUserTags,
}
