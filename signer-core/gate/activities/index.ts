/** The operations, one line per activity type. */
import type { ActivityTypeName } from '../../protocol/activity-types.ts'
import type { Operation } from '../operation.ts'
import { createPrivateKeysV1, createPrivateKeysV2 } from './create-private-keys.ts'
import { exportPrivateKey } from './export-private-key.ts'
import { importPrivateKey } from './import-private-key.ts'
import { initImportPrivateKey } from './init-import-private-key.ts'
import { signRawPayloads } from './sign-raw-payloads.ts'
import { signTransactionV1, signTransactionV2 } from './sign-transaction.ts'
import { signRawPayloadV1, signRawPayloadV2 } from './sign-raw-payload.ts'

export const operations: Record<ActivityTypeName, Operation<never>> = {
  ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2: createPrivateKeysV2,
  ACTIVITY_TYPE_CREATE_PRIVATE_KEYS: createPrivateKeysV1,
  ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: exportPrivateKey,
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: initImportPrivateKey,
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: importPrivateKey,
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: signRawPayloads,
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: signTransactionV2,
  ACTIVITY_TYPE_SIGN_TRANSACTION: signTransactionV1,
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: signRawPayloadV2,
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: signRawPayloadV1,
}
