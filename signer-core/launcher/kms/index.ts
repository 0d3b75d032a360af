import { openKeyFile } from './key-file.ts'
import type { Kms, KmsConfig } from './kms.ts'

export const kmsAdapters = {
  'key-file': openKeyFile,
} as const satisfies Record<string, (config: KmsConfig) => Kms>
