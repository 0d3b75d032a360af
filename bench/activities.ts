/** Documents as the gateway inserts them, for rows about the store. */
import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { ActivityDocument } from '../gateway/documents.ts'
import { signing } from './requests.ts'

const organizationId = randomUUID()

/** As long as a real one that has been accepted. */
export function newActivity(): ActivityDocument {
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
  const body = JSON.stringify({
    type,
    timestampMs: '1700000000000',
    parameters: signing(organizationId),
    organizationId,
  })
  const digest = createHash('sha256').update(body).digest('hex')
  const signature = `3044${digest.repeat(2)}${'0'.repeat(8)}`
  return {
    _id: randomUUIDv7(),
    v: 0,
    organizationId,
    userId: organizationId,
    idempotencyKey: digest,
    fingerprint: `sha256:${digest}`,
    type,
    phase: 'accepted',
    body,
    stamp: { publicKey: `02${digest}`, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature },
    createdAtMs: 1_700_000_000_000,
    updatedAtMs: 1_700_000_000_000,
  }
}
