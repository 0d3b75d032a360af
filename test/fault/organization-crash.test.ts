/**
 * Changes of an organization over crashes: each once, in versions without a gap; sub-organizations whole; votes counted
 * once. Between every two steps: by kill -9 at random, and by laying out what each leaves behind.
 */
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { newApiKeyPair } from '../../cli/api-key-pair.ts'
import { activitiesSpec, organizationsSpec, type FixedOutcome } from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import { receiptIdOf } from '../../gateway/receipts/receipts.ts'
import type { Outcome } from '../../signer-core/protocol/messages.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { Client, postBytes, stampOf, type Credentials, type HttpAnswer } from '../support/client.ts'
import { leftBehind, outcomesOf } from '../support/left-behind.ts'
import { isReady } from '../support/load.ts'
import { freePort, killAll, processesOf, until, untilEnded } from '../support/processes.ts'
import { newDataDir, startService } from '../support/service.ts'

const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const SUB = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }

const subOrganization = (subOrganizationName: string) => {
  const { publicKey } = newApiKeyPair()
  const apiKey = { apiKeyName: 'k', publicKey, curveType: 'API_KEY_CURVE_P256' }
  const user = { userName: 'root', apiKeys: [apiKey], authenticators: [], oauthProviders: [] }
  const wallet = { walletName: 'w', accounts: [account], mnemonicLength: 12 }
  return { subOrganizationName, rootUsers: [user], rootQuorumThreshold: 1, wallet }
}
const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}

function fixedOf(outcome: Outcome): FixedOutcome {
  const { receipt, organizationVersion: _, organization: __, ...rest } = outcome
  return { ...rest, receiptId: receiptIdOf(receipt) }
}

async function recordOf(dataDir: string, organizationId: string): Promise<OrganizationRecord> {
  const store = await openStore({ dataDir })
  try {
    const stored = await store.collection(organizationsSpec).get(organizationId)
    return JSON.parse(stored?.text ?? '') as OrganizationRecord
  } finally {
    await store.close()
  }
}

test.serial('what a crash leaves is carried to the end that was fixed', async (t) => {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startService({ dataDir, environment })
  await first.stop()
  const { organizationId } = first.dev
  // Fixed in the organization and not with the activity; a sub-organization that is not written; nothing at all.
  const changed = leftBehind(first.dev, TAG, { userTagName: 'changed', userIds: [] }, '1')
  const founded = leftBehind(first.dev, SUB, subOrganization('founded'), '2')
  const untouched = leftBehind(first.dev, TAG, { userTagName: 'untouched', userIds: [] }, '3')
  const [ofChanged, ofFounded] = (await outcomesOf(dataDir, [changed, founded])) as [Outcome, Outcome]
  const store = await openStore({ dataDir })
  const [activities, organizations] = [store.collection(activitiesSpec), store.collection(organizationsSpec)]
  await activities.insert(changed)
  await activities.insert(untouched)
  const { status: _, ...executed } = fixedOf(ofFounded)
  await activities.insert({ ...founded, phase: 'executed', ...executed })
  const from = await organizations.get(organizationId)
  if (from === undefined || ofChanged.organization === undefined) return t.fail()
  const next = { ...from, ...ofChanged.organization, madeBy: changed._id, made: fixedOf(ofChanged) }
  t.true(await organizations.compareAndSet(from, next))
  await store.close()

  const service = await startService({ dataDir, environment })
  t.teardown(() => service.stop())
  const client = new Client(service.dev.baseUrl, service.dev)
  for (const { _id: activityId } of [changed, founded, untouched]) {
    await until('its end', async () => {
      return (await client.query('get_activity', { activityId })).json.activity.status === COMPLETED
    })
  }
  const { userTags } = (await client.query('list_user_tags')).json
  t.deepEqual(
    userTags.map((tag: { tagName: string }) => tag.tagName),
    ['changed', 'untouched'],
  )
  t.is(userTags[0].tagId, JSON.parse(ofChanged.result).createUserTagResult.userTagId)
  const { createSubOrganizationResultV8: sub } = JSON.parse(ofFounded.result)
  const found = await client.query('list_suborgs', { filterType: 'NAME', filterValue: 'founded' })
  t.deepEqual(found.json.organizationIds, [sub.subOrganizationId])
  const accounts = await client.post('/query/list_wallet_accounts', { organizationId: sub.subOrganizationId })
  t.deepEqual(
    accounts.json.accounts.map((each: { address: string }) => each.address),
    sub.wallet.addresses,
  )
  await service.stop()
  t.is((await recordOf(dataDir, organizationId)).version, 3)
})

const CHANGES = 16
const SUB_ORGANIZATIONS = 4
const VOTED = 4
const KILLS = 4
/** Several starts of a gateway lie in between, on a machine that has other tests to run. */
const SETTLED_MS = 120_000

interface Sent {
  credentials: Credentials
  path: string
  body: string
}

function sent(credentials: Credentials, path: string, type: string, parameters: object, i: number): Sent {
  const { organizationId } = credentials
  return { credentials, path, body: JSON.stringify({ type, timestampMs: String(i), organizationId, parameters }) }
}

test.serial('kill -9 of the gateway while an organization changes and people vote', async (t) => {
  const port = String(await freePort())
  const service = await startService({ environment: { ...environment, KEYSTEAD_PORT: port } })
  t.teardown(() => service.dispose())
  const { baseUrl, organizationId } = service.dev
  const root = new Client(baseUrl, service.dev)
  const ann = await newUser(root)
  const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() == 2', notes: '' }
  await root.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  const { privateKeyId: signWith } = await root.createKey('CURVE_P256')
  const settle = async ({ credentials, path, body }: Sent): Promise<HttpAnswer> => {
    let answer: HttpAnswer | undefined
    const headers = { 'X-Stamp': stampOf(credentials, body) }
    const isThere = async () => {
      answer = await postBytes(baseUrl, `/public/v1/submit/${path}`, body, headers).catch(() => undefined)
      return answer !== undefined && answer.status !== 503 && answer.json.activity?.status !== 'ACTIVITY_STATUS_PENDING'
    }
    await until('an answer', isThere, SETTLED_MS)
    return answer as HttpAnswer
  }
  const tags = Array.from({ length: CHANGES }, (_, i) =>
    sent(service.dev, 'create_user_tag', TAG, { userTagName: `tag ${i}`, userIds: [] }, i),
  )
  const subs = Array.from({ length: SUB_ORGANIZATIONS }, (_, i) =>
    sent(service.dev, 'create_sub_organization', SUB, subOrganization(`sub ${i}`), i),
  )
  const vote = async (i: number) => {
    const parameters = {
      signWith,
      payload: `${i}`,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }
    const asked = await settle(sent(ann, 'sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, i))
    const { fingerprint, id } = asked.json.activity
    const approval = { fingerprint }
    const voted = sent(service.dev, 'approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', approval, Date.now())
    await settle(voted)
    return id as string
  }
  const settling = Promise.all([
    Promise.all(tags.map(settle)),
    Promise.all(subs.map(settle)),
    Promise.all(Array.from({ length: VOTED }, (_, i) => vote(i))),
  ])
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomInt(20, 500))
    let gateway: number | undefined
    await until('a gateway', async () => (gateway = processesOf(service).gateway) !== undefined)
    killAll([gateway as number])
    await untilEnded([gateway as number])
  }
  const [ofTags, ofSubs, waited] = await settling
  // All may have been answered before the last kill, whose gateway is only just coming back.
  await until('the gateway again', () => isReady(service.dev.baseUrl))

  const { userTags } = (await root.query('list_user_tags')).json
  const idOf = (answer: HttpAnswer) => answer.json.activity.result.createUserTagResult.userTagId as string
  t.deepEqual(userTags.map((tag: { tagId: string }) => tag.tagId).toSorted(), ofTags.map(idOf).toSorted())
  for (const answer of ofSubs) {
    const { subOrganizationId, wallet } = answer.json.activity.result.createSubOrganizationResultV8
    const accounts = await root.post('/query/list_wallet_accounts', { organizationId: subOrganizationId })
    t.deepEqual(
      accounts.json.accounts.map((each: { address: string }) => each.address),
      wallet.addresses,
    )
  }
  for (const activityId of waited) {
    await until('its end', async () => {
      return (await root.query('get_activity', { activityId })).json.activity.status === COMPLETED
    })
    t.is((await root.query('get_activity', { activityId })).json.activity.votes.length, 2)
  }
  t.notRegex(service.output(), /"msg":"bug"|activity_stuck/)
  await service.stop()
  const { version } = await recordOf(service.dataDir, organizationId)
  // One user, one policy and the tags.
  t.is(version, 1 + 2 + CHANGES)
})

async function newUser(root: Client): Promise<Credentials> {
  const key = newApiKeyPair()
  const apiKey = { apiKeyName: 'k', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const user = { userName: 'ann', apiKeys: [apiKey], authenticators: [], oauthProviders: [], userTags: [] }
  await root.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users: [user] })
  const { organizationId } = root.credentials
  return { organizationId, apiPublicKey: key.publicKey, apiPrivateKey: key.privateKey }
}
