/** What only the signer can make, made with its data key: for tests of what no activity makes yet. */
import { createHmac, hkdfSync } from 'node:crypto'
import { join } from 'node:path'
import { openDataKey } from '../../signer-core/launcher/data-key.ts'
import { openKeyFile } from '../../signer-core/launcher/kms/key-file.ts'
import type { Notarized } from '../../signer-core/protocol/messages.ts'

/** An organization record under the seal of the signer of this data directory. */
export async function notarizedOrganization(dataDir: string, record: object): Promise<Notarized> {
  const dataKey = await (await openDataKey(join(dataDir, 'signer'), openKeyFile))()
  const key = hkdfSync('sha256', dataKey, new Uint8Array(), 'keystead/v1/notarized/organization', 32)
  const text = JSON.stringify(record)
  return { text, seal: createHmac('sha256', Buffer.from(key)).update(text).digest('hex') }
}
