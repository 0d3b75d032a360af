import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { createFileDurably, readPrivateFile } from './files.ts'
import { StartError } from './log.ts'
import type { Kms, KmsConfig } from './kms/kms.ts'

const DATA_KEY_BYTES = 32
/** Above what any KMS adds to 32 bytes (AWS KMS: under 200). */
const WRAPPED_BYTES_MAX = 8_192
/** What the wrapped key is for. Part of every installation's data key: never change it. */
const CONTEXT = Buffer.from('keystead data key, format 1')

/**
 * Opens the wrapped data key, and makes it at the very first start. It is made only when the KMS agrees that this is
 * the first start: a silent second data key would turn every stored key into garbage.
 *
 * @param directory Private and there already.
 * @returns Unwraps the data key anew with each call; the caller fills it with zeros after use.
 * @throws {StartError}
 */
export async function openDataKey(
  directory: string,
  openKms: (config: KmsConfig) => Kms,
): Promise<() => Promise<Uint8Array>> {
  const path = join(directory, 'data-key.wrapped')
  const firstStart = readPrivateFile(path, WRAPPED_BYTES_MAX) === undefined
  const kms = openKms({ directory, firstStart })
  if (firstStart) {
    const dataKey = randomFillSync(Buffer.alloc(DATA_KEY_BYTES))
    createFileDurably(path, await kms.wrap(dataKey, CONTEXT))
    dataKey.fill(0)
  }
  return async () => {
    const wrapped = readPrivateFile(path, WRAPPED_BYTES_MAX)
    if (wrapped === undefined) throw new StartError('data_key_missing', `${path} is missing`)
    const dataKey = await kms.unwrap(wrapped, CONTEXT)
    if (dataKey.length === DATA_KEY_BYTES) return dataKey
    dataKey.fill(0)
    throw new StartError('data_key_refused', 'the KMS returned a data key of wrong length')
  }
}
