/** Activity types about the organization itself: users, policies, tags, sub-organizations, votes. */
import { approveActivitySchema } from './activities/approve-activity.ts'
import { createApiKeysV1Schema, createApiKeysV2Schema } from './activities/create-api-keys.ts'
import { createApiOnlyUsersSchema } from './activities/create-api-only-users.ts'
import { createPoliciesSchema } from './activities/create-policies.ts'
import { createPolicySchema } from './activities/create-policy.ts'
import { createPrivateKeyTagSchema, type CreatePrivateKeyTag } from './activities/create-private-key-tag.ts'
import {
  createSubOrganizationV2Schema,
  createSubOrganizationV3Schema,
  createSubOrganizationV5Schema,
  createSubOrganizationV6Schema,
  createSubOrganizationV8Schema,
} from './activities/create-sub-organization.ts'
import { createUserTagSchema } from './activities/create-user-tag.ts'
import { createUsersV2Schema, createUsersV4Schema } from './activities/create-users.ts'
import { deleteApiKeysSchema } from './activities/delete-api-keys.ts'
import { deletePoliciesSchema } from './activities/delete-policies.ts'
import { deletePolicySchema } from './activities/delete-policy.ts'
import { deletePrivateKeyTagsSchema } from './activities/delete-private-key-tags.ts'
import { deleteSubOrganizationSchema } from './activities/delete-sub-organization.ts'
import { deleteUserTagsSchema } from './activities/delete-user-tags.ts'
import { deleteUsersSchema } from './activities/delete-users.ts'
import { rejectActivitySchema } from './activities/reject-activity.ts'
import { removeOrganizationFeatureSchema } from './activities/remove-organization-feature.ts'
import { setOrganizationFeatureSchema } from './activities/set-organization-feature.ts'
import { updateOrganizationNameSchema } from './activities/update-organization-name.ts'
import { updatePolicyV1Schema, updatePolicyV2Schema } from './activities/update-policy.ts'
import { updatePrivateKeyTagSchema, type UpdatePrivateKeyTag } from './activities/update-private-key-tag.ts'
import { updateRootQuorumSchema } from './activities/update-root-quorum.ts'
import { updateUserSchema } from './activities/update-user.ts'
import { updateUserEmailSchema } from './activities/update-user-email.ts'
import { updateUserNameSchema } from './activities/update-user-name.ts'
import { updateUserPhoneNumberSchema } from './activities/update-user-phone-number.ts'
import { updateUserTagSchema } from './activities/update-user-tag.ts'
import type { ActivityType } from './activity-type.ts'
import type { Schema } from './schema.ts'

const none = () => []

/** They name no key unless `more` says so. */
function row<const T extends string, P, const M extends object = {}>(
  path: T,
  intent: string,
  parameters: Schema<P>,
  more = {} as M,
) {
  return { path, intents: [intent] as const, parameters, keysNamed: none, ...more }
}

/** Private keys that must be there, by their ids. */
function named<P>(keysNamed: (parameters: P) => string[]) {
  return { keysNamed, keyKind: 'privateKey' as const }
}

export const organizationActivityTypes = {
  ACTIVITY_TYPE_APPROVE_ACTIVITY: row('approve_activity', 'approveActivityIntent', approveActivitySchema, {
    vote: 'VOTE_SELECTION_APPROVED',
  }),
  ACTIVITY_TYPE_REJECT_ACTIVITY: row('reject_activity', 'rejectActivityIntent', rejectActivitySchema, {
    vote: 'VOTE_SELECTION_REJECTED',
  }),
  ACTIVITY_TYPE_CREATE_API_KEYS_V2: row('create_api_keys', 'createApiKeysIntentV2', createApiKeysV2Schema),
  ACTIVITY_TYPE_CREATE_API_KEYS: row('create_api_keys', 'createApiKeysIntent', createApiKeysV1Schema),
  ACTIVITY_TYPE_DELETE_API_KEYS: row('delete_api_keys', 'deleteApiKeysIntent', deleteApiKeysSchema),
  ACTIVITY_TYPE_CREATE_USERS_V4: row('create_users', 'createUsersIntentV4', createUsersV4Schema),
  ACTIVITY_TYPE_CREATE_USERS_V3: row('create_users', 'createUsersIntentV3', createUsersV4Schema),
  ACTIVITY_TYPE_CREATE_USERS_V2: row('create_users', 'createUsersIntentV2', createUsersV2Schema),
  ACTIVITY_TYPE_CREATE_USERS: row('create_users', 'createUsersIntent', createUsersV2Schema),
  ACTIVITY_TYPE_CREATE_API_ONLY_USERS: row(
    'create_api_only_users',
    'createApiOnlyUsersIntent',
    createApiOnlyUsersSchema,
  ),
  ACTIVITY_TYPE_UPDATE_USER: row('update_user', 'updateUserIntent', updateUserSchema),
  ACTIVITY_TYPE_UPDATE_USER_NAME: row('update_user_name', 'updateUserNameIntent', updateUserNameSchema),
  ACTIVITY_TYPE_UPDATE_USER_EMAIL: row('update_user_email', 'updateUserEmailIntent', updateUserEmailSchema),
  ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER: row(
    'update_user_phone_number',
    'updateUserPhoneNumberIntent',
    updateUserPhoneNumberSchema,
  ),
  ACTIVITY_TYPE_DELETE_USERS: row('delete_users', 'deleteUsersIntent', deleteUsersSchema),
  ACTIVITY_TYPE_CREATE_POLICY_V3: row('create_policy', 'createPolicyIntentV3', createPolicySchema),
  ACTIVITY_TYPE_CREATE_POLICIES: row('create_policies', 'createPoliciesIntent', createPoliciesSchema),
  ACTIVITY_TYPE_UPDATE_POLICY_V2: row('update_policy', 'updatePolicyIntentV2', updatePolicyV2Schema),
  ACTIVITY_TYPE_UPDATE_POLICY: row('update_policy', 'updatePolicyIntent', updatePolicyV1Schema),
  ACTIVITY_TYPE_DELETE_POLICY: row('delete_policy', 'deletePolicyIntent', deletePolicySchema),
  ACTIVITY_TYPE_DELETE_POLICIES: row('delete_policies', 'deletePoliciesIntent', deletePoliciesSchema),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8: row(
    'create_sub_organization',
    'createSubOrganizationIntentV8',
    createSubOrganizationV8Schema,
  ),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7: row(
    'create_sub_organization',
    'createSubOrganizationIntentV7',
    createSubOrganizationV8Schema,
  ),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V6: row(
    'create_sub_organization',
    'createSubOrganizationIntentV6',
    createSubOrganizationV6Schema,
  ),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V5: row(
    'create_sub_organization',
    'createSubOrganizationIntentV5',
    createSubOrganizationV5Schema,
  ),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V4: row(
    'create_sub_organization',
    'createSubOrganizationIntentV4',
    createSubOrganizationV5Schema,
  ),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3: row(
    'create_sub_organization',
    'createSubOrganizationIntentV3',
    createSubOrganizationV3Schema,
  ),
  ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V2: row(
    'create_sub_organization',
    'createSubOrganizationIntentV2',
    createSubOrganizationV2Schema,
  ),
  ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION: row(
    'delete_sub_organization',
    'deleteSubOrganizationIntent',
    deleteSubOrganizationSchema,
  ),
  ACTIVITY_TYPE_UPDATE_ROOT_QUORUM: row('update_root_quorum', 'updateRootQuorumIntent', updateRootQuorumSchema),
  ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME: row(
    'update_organization_name',
    'updateOrganizationNameIntent',
    updateOrganizationNameSchema,
  ),
  ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE: row(
    'set_organization_feature',
    'setOrganizationFeatureIntent',
    setOrganizationFeatureSchema,
  ),
  ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE: row(
    'remove_organization_feature',
    'removeOrganizationFeatureIntent',
    removeOrganizationFeatureSchema,
  ),
  ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG: row(
    'create_private_key_tag',
    'createPrivateKeyTagIntent',
    createPrivateKeyTagSchema,
    named<CreatePrivateKeyTag>(({ privateKeyIds }) => privateKeyIds),
  ),
  ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG: row(
    'update_private_key_tag',
    'updatePrivateKeyTagIntent',
    updatePrivateKeyTagSchema,
    named<UpdatePrivateKeyTag>(({ addPrivateKeyIds }) => addPrivateKeyIds),
  ),
  ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS: row(
    'delete_private_key_tags',
    'deletePrivateKeyTagsIntent',
    deletePrivateKeyTagsSchema,
  ),
  ACTIVITY_TYPE_CREATE_USER_TAG: row('create_user_tag', 'createUserTagIntent', createUserTagSchema),
  ACTIVITY_TYPE_UPDATE_USER_TAG: row('update_user_tag', 'updateUserTagIntent', updateUserTagSchema),
  ACTIVITY_TYPE_DELETE_USER_TAGS: row('delete_user_tags', 'deleteUserTagsIntent', deleteUserTagsSchema),
} as const satisfies Record<string, ActivityType>
