/** Fifty changes of one organization at once, through the unmodified SDK, while others sign. */
import test from 'ava'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { organizationsSpec } from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

const CHANGES = 50
const SIGNATURES = 25

const service = await startService()
test.after.always(() => service.dispose())

test('all land, in versions without a gap, and nobody who signs is refused', async (t) => {
  const api = turnkeyClient(service.dev)
  const { privateKeys } = await api.createPrivateKeys({
    privateKeys: [{ privateKeyName: 'k', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
  })
  const signWith = privateKeys[0]?.privateKeyId as string
  const hashFunction = 'HASH_FUNCTION_SHA256'
  const changes = Array.from({ length: CHANGES }, (_, i) =>
    i % 2 === 0
      ? api.createUserTag({ userTagName: `tag ${i}`, userIds: [] })
      : api.createPolicy({ policyName: `policy ${i}`, effect: 'EFFECT_ALLOW', condition: '1 == 2', notes: '' }),
  )
  const signatures = Array.from({ length: SIGNATURES }, (_, i) =>
    api.signRawPayload({ signWith, payload: `${i}`, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction }),
  )
  const ended = await Promise.all([...changes, ...signatures])
  for (const { activity } of ended) t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is((await api.listUserTags()).userTags.length, CHANGES / 2)
  t.is((await api.getPolicies()).policies.length, CHANGES / 2)

  await service.stop()
  const store = await openStore({ dataDir: service.dataDir })
  t.teardown(() => store.close())
  const stored = await store.collection(organizationsSpec).get(service.dev.organizationId)
  const { version } = JSON.parse(stored?.text ?? '') as OrganizationRecord
  t.is(version, 1 + CHANGES)
})
