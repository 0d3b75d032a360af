/** The query routes, `/public/v1/query/<name>`, one line each. */
import { getAuthenticator, getAuthenticators, getOauthProviders } from './absent-credentials.ts'
import { getActivePolicies } from './get-active-policies.ts'
import { getActivity } from './get-activity.ts'
import { getApiKey } from './get-api-key.ts'
import { getApiKeys } from './get-api-keys.ts'
import { getOrganization } from './get-organization.ts'
import { getOrganizationConfigs } from './get-organization-configs.ts'
import { getPolicy } from './get-policy.ts'
import { getPolicyEvaluations } from './get-policy-evaluations.ts'
import { getPrivateKey } from './get-private-key.ts'
import { getUser } from './get-user.ts'
import { getWallet } from './get-wallet.ts'
import { getWalletAccount } from './get-wallet-account.ts'
import { listActivities } from './list-activities.ts'
import { listAppProofs } from './list-app-proofs.ts'
import { listPolicies } from './list-policies.ts'
import { listPrivateKeys } from './list-private-keys.ts'
import { listReceipts } from './list-receipts.ts'
import { listSuborgs } from './list-suborgs.ts'
import { listPrivateKeyTags, listUserTags } from './list-tags.ts'
import { listUsers } from './list-users.ts'
import { listVerifiedSuborgs } from './list-verified-suborgs.ts'
import { listWallets } from './list-wallets.ts'
import { listWalletAccounts } from './list-wallet-accounts.ts'
import type { Query } from './query.ts'
import { replayActivities } from './replay-activities.ts'
import { simulateActivity } from './simulate-activity.ts'
import { whoami } from './whoami.ts'

export const queries: Record<string, Query> = {
  get_active_policies: getActivePolicies,
  get_activity: getActivity,
  get_api_key: getApiKey,
  get_api_keys: getApiKeys,
  get_authenticator: getAuthenticator,
  get_authenticators: getAuthenticators,
  get_oauth_providers: getOauthProviders,
  get_organization: getOrganization,
  get_organization_configs: getOrganizationConfigs,
  get_policy: getPolicy,
  get_policy_evaluations: getPolicyEvaluations,
  get_private_key: getPrivateKey,
  get_user: getUser,
  get_wallet: getWallet,
  get_wallet_account: getWalletAccount,
  list_activities: listActivities,
  list_app_proofs: listAppProofs,
  list_policies: listPolicies,
  list_private_key_tags: listPrivateKeyTags,
  list_private_keys: listPrivateKeys,
  list_receipts: listReceipts,
  list_suborgs: listSuborgs,
  list_user_tags: listUserTags,
  list_users: listUsers,
  list_verified_suborgs: listVerifiedSuborgs,
  list_wallets: listWallets,
  list_wallet_accounts: listWalletAccounts,
  replay_activities: replayActivities,
  simulate_activity: simulateActivity,
  whoami,
}
