/** The steps of activities on a real store, with a signer double. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ask } from '../../gateway/activities/ask.ts'
import { Decide } from '../../gateway/activities/decide.ts'
import { Steps } from '../../gateway/activities/steps.ts'
import { Votes } from '../../gateway/activities/votes.ts'
import { activitiesSpec, type ActivityDocument, type FixedOutcome } from '../../gateway/documents.ts'
import { Receipts } from '../../gateway/receipts/receipts.ts'
import { openRecords } from '../../gateway/open-records.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import type { Change } from '../../signer-core/protocol/changes.ts'
import type { Outcome, PerformAnswer, PerformCall } from '../../signer-core/protocol/messages.ts'

export type Perform = (call: PerformCall) => Promise<PerformAnswer>

/** Of an activity from which no record follows. */
export const outcome: Outcome = {
  status: 'COMPLETED',
  result: '{"signRawPayloadResult":{}}',
  evaluation: { text: '{}', seal: '' },
  newKeys: [],
  newWallets: [],
  changes: '[]',
  organizationVersion: 1,
  receipt: { text: '{"activityId":"","chain":{"chainId":""},"sequence":1}', signature: '' },
}

/** Of an activity from which a change of the records follows. */
export const changingOutcome: Outcome = {
  ...outcome,
  changes: JSON.stringify([{ change: 'importTargetUsed', flow: 'wallet', userId: 'user' } satisfies Change]),
}

/** What is stored of an outcome. */
export function fixed(of: Outcome): FixedOutcome {
  const { receipt: _, organizationVersion: __, ...rest } = of
  return { ...rest, receiptId: '/0000000000000001' }
}

const BODY = '{"parameters":{}}'

function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** The signer's evaluation names what it was asked for. */
function evaluated(answer: PerformAnswer, { activityId, body }: PerformCall): PerformAnswer {
  if (answer.ok !== true) return answer
  const text = JSON.stringify({ activityId, bodyDigest: sha256Hex(Buffer.from(body, 'base64')) })
  return { ...answer, value: { ...answer.value, evaluation: { text, seal: '' } } }
}

export async function openSteps(perform: Perform) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-steps-'))
  const store = await openStore({ dataDir })
  const nowMs = Date.now
  const { named, records, organizations, subOrganizations } = openRecords(store, nowMs)
  const organizationId = randomUUID()
  const record = JSON.stringify({ organizationId, version: 1 })
  await organizations.insert(organizationId, { text: record, seal: '' }, 0)
  const signer = { perform: async (call: PerformCall) => evaluated(await perform(call), call) }
  const steps = new Steps({ store, records, nowMs })
  const ask = new Ask({ signer, named, receipts: new Receipts(store) })
  const votes = new Votes(store)
  const decide = new Decide({ ask, steps, votes, organizations, subOrganizations, nowMs })
  const activities = store.collection(activitiesSpec)
  /** Stores an activity that nobody has worked on, unless `members` say otherwise. */
  const insert = async (members: Partial<ActivityDocument> = {}): Promise<ActivityDocument> => {
    const activity: ActivityDocument = {
      _id: randomUUID(),
      v: 0,
      organizationId,
      userId: randomUUID(),
      idempotencyKey: randomUUID(),
      fingerprint: `sha256:${sha256Hex(BODY)}`,
      type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
      phase: 'accepted',
      body: BODY,
      stamp: { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: '', signature: '' },
      createdAtMs: Date.now(),
      updatedAtMs: Date.now(),
      ...members,
    }
    await activities.insert(activity)
    return activity
  }
  const dispose = async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
  return {
    store,
    records,
    steps,
    decide,
    votes,
    organizations,
    organizationId,
    insert,
    stored: (id: string) => activities.get(id),
    dispose,
  }
}
