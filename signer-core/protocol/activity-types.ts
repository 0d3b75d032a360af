/**
 * Every activity type on offer: where it is submitted, what its members are called on the wire, how its parameters
 * are read. Both sides walk this table; a type that is not in it is refused.
 */
import { createPrivateKeysSchema } from './activities/create-private-keys.ts'
import { exportPrivateKeySchema } from './activities/export-private-key.ts'
import { importPrivateKeySchema } from './activities/import-private-key.ts'
import { initImportPrivateKeySchema } from './activities/init-import-private-key.ts'
import { signRawPayloadV1Schema, signRawPayloadV2Schema } from './activities/sign-raw-payload.ts'
import { signRawPayloadsSchema } from './activities/sign-raw-payloads.ts'
import { signTransactionV1Schema, signTransactionV2Schema } from './activities/sign-transaction.ts'
import type { Schema } from './schema.ts'

export interface ActivityType {
  /** Last segment of `/public/v1/submit/<path>`; also the name of the operation's file in every layer, in snake_case. */
  path: string
  /** Names of the intent member: the one that real clients know first, then the specification's. */
  intents: readonly [string, ...string[]]
  parameters: Schema<unknown>
  /** Keys that the parameters name, by key id or address. */
  keysNamed: (parameters: never) => string[]
  /** Whether the activity opens something that was sealed to its user's import target. */
  opensImport?: true
}

const none = () => []
const signWith = (parameters: { signWith: string }) => [parameters.signWith]
const privateKeyId = (parameters: { privateKeyId: string }) => [parameters.privateKeyId]

export const activityTypes = {
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
  },
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: {
    path: 'init_import_private_key',
    intents: ['initImportPrivateKeyIntent'],
    parameters: initImportPrivateKeySchema,
    keysNamed: none,
  },
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: {
    path: 'import_private_key',
    intents: ['importPrivateKeyIntent'],
    parameters: importPrivateKeySchema,
    keysNamed: none,
    opensImport: true,
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

export type ActivityTypeName = keyof typeof activityTypes

export function isActivityTypeName(type: string): type is ActivityTypeName {
  return Object.hasOwn(activityTypes, type)
}
