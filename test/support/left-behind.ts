/** What a killed gateway leaves: activities in any phase, made by hand with the signer's genuine outcomes. */
import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import { organizationsSpec, type ActivityDocument } from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import type { Answer, Outcome, SealedWallet } from '../../signer-core/protocol/messages.ts'
import type { Stamp } from '../../signer-core/protocol/stamp.ts'
import { stampOf, type Credentials } from './client.ts'
import { startLauncher } from './launcher.ts'

/** An activity that a gateway has left behind, as it would stand in the store. */
export function leftBehind(
  credentials: Credentials,
  type: string,
  parameters: object,
  timestampMs: string,
): ActivityDocument {
  const { organizationId } = credentials
  const body = JSON.stringify({ type, timestampMs, organizationId, parameters })
  const createdAtMs = Date.now()
  return {
    _id: randomUUIDv7(),
    v: 0,
    organizationId,
    userId: randomUUID(),
    idempotencyKey: createHash('sha256')
      .update(canonicalize(JSON.parse(body)) as string)
      .digest('hex'),
    fingerprint: `sha256:${createHash('sha256').update(body).digest('hex')}`,
    type,
    phase: 'accepted',
    body,
    stamp: JSON.parse(Buffer.from(stampOf(credentials, body), 'base64url').toString()) as Stamp,
    createdAtMs,
    updatedAtMs: createdAtMs,
  }
}

/** Asks the signer of a stopped service, without anything being stored. @param wallets That the bodies name. */
export async function outcomesOf(
  dataDir: string,
  activities: ActivityDocument[],
  wallets: SealedWallet[] = [],
): Promise<Outcome[]> {
  const store = await openStore({ dataDir })
  const launcher = await startLauncher({
    dataDir,
    environment: { KEYSTEAD_SIGNER_HOSTS: '1', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' },
  })
  try {
    const gateway = await launcher.connect()
    const outcomes: Outcome[] = []
    for (const { _id: activityId, body, stamp, organizationId } of activities) {
      const record = await store.collection(organizationsSpec).get(organizationId)
      const organization = { text: record?.text, seal: record?.seal }
      const call = { activityId, body: Buffer.from(body).toString('base64'), stamp, organization, keys: [], wallets }
      const { value } = (await gateway.call(call)) as { value: Answer<Outcome> & { ok: true } }
      outcomes.push(value.value)
    }
    gateway.close()
    return outcomes
  } finally {
    await store.close()
    await launcher.stop()
  }
}
