/** What conditions see of the activity itself (`activity`). */
import type { JsonObject } from '../../signer-core/protocol/strict-json.ts'

/** Resource, then action, then the kinds that are meant, as documented; `PRIVATE_KEY` and `SIGN` mean wallets too. */
const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ORGANIZATION: { CREATE: 'CREATE_SUB_ORGANIZATION', DELETE: 'DELETE_SUB_ORGANIZATION' },
  POLICY: {
    CREATE: 'CREATE_POLICY CREATE_POLICIES',
    UPDATE: 'UPDATE_POLICY',
    DELETE: 'DELETE_POLICY DELETE_POLICIES',
  },
  USER: {
    CREATE: 'CREATE_USERS CREATE_API_ONLY_USERS CREATE_USER_TAG',
    UPDATE: 'UPDATE_USER UPDATE_USER_NAME UPDATE_USER_EMAIL UPDATE_USER_PHONE_NUMBER UPDATE_USER_TAG',
    DELETE: 'DELETE_USERS DELETE_USER_TAGS',
  },
  CREDENTIAL: {
    CREATE: 'CREATE_API_KEYS CREATE_AUTHENTICATORS',
    DELETE: 'DELETE_API_KEYS DELETE_AUTHENTICATORS',
  },
  WALLET: {
    CREATE: 'CREATE_WALLET CREATE_WALLET_ACCOUNTS',
    UPDATE: 'UPDATE_WALLET',
    DELETE: 'DELETE_WALLETS DELETE_WALLET_ACCOUNTS',
    EXPORT: 'EXPORT_WALLET EXPORT_WALLET_ACCOUNT',
    IMPORT: 'INIT_IMPORT_WALLET IMPORT_WALLET',
  },
  PRIVATE_KEY: {
    CREATE: 'CREATE_PRIVATE_KEYS CREATE_PRIVATE_KEY_TAG',
    UPDATE: 'UPDATE_PRIVATE_KEY_TAG',
    DELETE: 'DELETE_PRIVATE_KEYS DELETE_PRIVATE_KEY_TAGS',
    EXPORT: 'EXPORT_PRIVATE_KEY',
    IMPORT: 'INIT_IMPORT_PRIVATE_KEY IMPORT_PRIVATE_KEY',
    SIGN: 'SIGN_RAW_PAYLOAD SIGN_RAW_PAYLOADS SIGN_TRANSACTION ETH_SEND_TRANSACTION ETH_UNDELEGATE_7702',
  },
  AUTH: { CREATE: 'STAMP_LOGIN CREATE_READ_WRITE_SESSION CREATE_READ_ONLY_SESSION' },
}

const classes = new Map(
  Object.entries(kinds).flatMap(([resource, actions]) =>
    Object.entries(actions).flatMap(([action, names]) =>
      names.split(' ').map((kind): [string, { resource: string; action: string }] => [kind, { resource, action }]),
    ),
  ),
)

/** Documented name of a parameter and the member of the body that holds it, for each kind that shows any. */
const shown: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SIGN_RAW_PAYLOAD: { hash_function: 'hashFunction', encoding: 'encoding' },
  SIGN_RAW_PAYLOADS: { hash_function: 'hashFunction', encoding: 'encoding' },
  SIGN_TRANSACTION: { type: 'type' },
  EXPORT_PRIVATE_KEY: { target_public_key: 'targetPublicKey' },
  EXPORT_WALLET: { target_public_key: 'targetPublicKey' },
  EXPORT_WALLET_ACCOUNT: { target_public_key: 'targetPublicKey' },
  DELETE_USERS: { user_ids: 'userIds' },
  CREATE_API_KEYS: { user_id: 'userId' },
  DELETE_API_KEYS: { user_id: 'userId', api_key_ids: 'apiKeyIds' },
  UPDATE_WALLET: { wallet_id: 'walletId' },
}

/** The type without prefix and version. */
export function kindOf(activityType: string): string {
  return activityType.replace(/^ACTIVITY_TYPE_/, '').replace(/_V[0-9]+$/, '')
}

/** What the root quorum alone may do, whatever policies say. */
const rootQuorumKinds = [
  'UPDATE_ROOT_QUORUM',
  'SET_ORGANIZATION_FEATURE',
  'REMOVE_ORGANIZATION_FEATURE',
  'UPDATE_ORGANIZATION_NAME',
]

export function isRootQuorumOnly(activityType: string): boolean {
  return rootQuorumKinds.includes(kindOf(activityType))
}

/**
 * A kind without a documented resource has none here, so that a rule about resources errs instead of matching.
 * @param parameters As read from the body; members that the kind does not show stay hidden.
 */
export function activityFacts(type: string, parameters: JsonObject): JsonObject {
  const kind = kindOf(type)
  const members = Object.entries(shown[kind] ?? {}).filter(([, member]) => Object.hasOwn(parameters, member))
  const params = Object.fromEntries(members.map(([name, member]) => [name, parameters[member] as string]))
  return { type, kind, ...classes.get(kind), params }
}
