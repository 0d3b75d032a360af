/** Approvals with the unmodified @turnkey/sdk-server: what waits, who may vote, how it ends and what is shown of it. */
import { verify } from 'node:crypto'
import test from 'ava'
import { apiKeyOf, Client } from '../support/client.ts'
import { newPeople, type Api, type Person } from '../support/people.ts'
import { examplePolicies } from '../support/policy-examples.ts'
import { startService } from '../support/service.ts'
import { refusal, turnkeyClient } from './turnkey-client.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { dev } = service
const root = turnkeyClient(dev)

let people: Person[] = []
let signWith = ''
test.before(async () => {
  people = await newPeople(root, dev, ['ann', 'bob', 'cid', 'eve'])
  const [ann, bob, cid] = people.map(({ userId }) => userId)
  const [twoOfThree] = examplePolicies('two-of-three')
  if (twoOfThree === undefined) throw new Error('no such example')
  const consensus = `approvers.filter(user, user.id in ['${ann}', '${bob}', '${cid}']).count() >= 2`
  await root.createPolicy({ ...twoOfThree, consensus })
  const { privateKeys } = await root.createPrivateKeys({
    privateKeys: [{ privateKeyName: 'k', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }],
  })
  signWith = privateKeys[0]?.privateKeyId as string
})

const WAITING = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
const hashFunction = 'HASH_FUNCTION_SHA256'

/** Asks for a signature without the polling of the SDK, which would wait for votes in vain. */
async function ask({ key }: Person, payload: string) {
  const credentials = { ...dev, apiPublicKey: key.publicKey, apiPrivateKey: key.privateKey }
  const parameters = { signWith, payload, encoding, hashFunction }
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
  const { json } = await new Client(dev.baseUrl, credentials).submit('sign_raw_payload', type, parameters)
  return json.activity as { id: string; status: string; fingerprint: string }
}

/** Whether a vote shows what its voter has stamped. */
function isStamped({ message, publicKey, signature }: { message: string; publicKey: string; signature: string }) {
  const voter = people.map(({ key }) => key).find((key) => key.publicKey === publicKey)
  if (voter === undefined) return false
  const key = apiKeyOf({ apiPublicKey: voter.publicKey, apiPrivateKey: voter.privateKey })
  return verify('sha256', Buffer.from(message), { key, dsaEncoding: 'der' }, Buffer.from(signature, 'hex'))
}

const activityAs = async (api: Api, activityId: string) => (await api.getActivity({ activityId })).activity

test('two of three: COMPLETED with the second approval, by evaluations that are kept', async (t) => {
  const [ann, bob, cid, eve] = people as [Person, Person, Person, Person]
  const { id, status, fingerprint } = await ask(ann, 'two of three')
  t.is(status, WAITING)
  const mayVote = async ({ api }: { api: Api }) => {
    const { canApprove, canReject } = await activityAs(api, id)
    t.is(canApprove, canReject)
    return canApprove
  }
  t.deepEqual(await Promise.all([ann, bob, cid, eve, { api: root }].map(mayVote)), [false, true, true, false, true])
  const [own] = (await activityAs(bob.api, id)).votes
  t.like(own, { userId: ann.userId, selection: 'VOTE_SELECTION_APPROVED', user: { userName: 'ann' } })
  t.true(own !== undefined && isStamped(own))

  const approved = await bob.api.approveActivity({ fingerprint })
  t.is(approved.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(approved.activity.type, 'ACTIVITY_TYPE_APPROVE_ACTIVITY')
  const { signRawPayloadResult } = approved as unknown as { signRawPayloadResult: { r: string } }
  const ended = await activityAs(cid.api, id)
  t.is(ended.status, 'ACTIVITY_STATUS_COMPLETED')
  t.deepEqual(ended.result.signRawPayloadResult?.r, signRawPayloadResult.r, 'a vote shows what came of it')
  t.deepEqual(
    ended.votes.map((vote) => [vote.userId, vote.selection]),
    [
      [ann.userId, 'VOTE_SELECTION_APPROVED'],
      [bob.userId, 'VOTE_SELECTION_APPROVED'],
    ],
  )
  t.true(ended.votes.every(isStamped))
  t.deepEqual([ended.canApprove, ended.canReject], [false, false])
  const { policyEvaluations } = await cid.api.getPolicyEvaluations({ activityId: id })
  t.deepEqual(
    policyEvaluations.at(-1)?.policyEvaluations?.map((each) => each.outcome),
    ['OUTCOME_ALLOW'],
  )
  t.is((await refusal(t, cid.api.approveActivity({ fingerprint }))).code, 5, 'nothing waits any more')
})

test('who is not asked has no vote, nobody approves twice, and a fingerprint of nothing is not found', async (t) => {
  const [ann, bob, , eve] = people as [Person, Person, Person, Person]
  const { id, fingerprint } = await ask(ann, 'not asked')
  t.is((await refusal(t, eve.api.approveActivity({ fingerprint }))).code, 7)
  t.is((await refusal(t, eve.api.rejectActivity({ fingerprint }))).code, 7)
  t.is((await refusal(t, ann.api.approveActivity({ fingerprint }))).code, 3)
  t.is((await refusal(t, bob.api.approveActivity({ fingerprint: `sha256:${'0'.repeat(64)}` }))).code, 5)
  t.is((await refusal(t, bob.api.approveActivity({ fingerprint: 'sha256:' }))).code, 3)
  t.is((await activityAs(bob.api, id)).status, WAITING)
  t.is((await refusal(t, askOf(eve))).code, 7, 'nor does eve make anything wait')
})

const askOf = ({ api }: Person) => api.signRawPayload({ signWith, payload: 'eve', encoding, hashFunction })

test('a rejection ends it', async (t) => {
  const [ann, bob, cid] = people as [Person, Person, Person]
  const { id, fingerprint } = await ask(ann, 'rejected')
  const rejected = await bob.api.rejectActivity({ fingerprint })
  t.is(rejected.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const ended = await activityAs(ann.api, id)
  t.is(ended.status, 'ACTIVITY_STATUS_REJECTED')
  t.deepEqual(ended.result, {})
  t.is(ended.votes.at(-1)?.selection, 'VOTE_SELECTION_REJECTED')
  t.is((await refusal(t, cid.api.approveActivity({ fingerprint }))).code, 5)
  const listed = await ann.api.getActivities({ filterByStatus: ['ACTIVITY_STATUS_REJECTED'] })
  t.true(listed.activities.some((each) => each.id === id))
})

test('two approvals at once: who was answered is counted, and it ends', async (t) => {
  const [ann, bob, cid] = people as [Person, Person, Person]
  const { id, fingerprint } = await ask(ann, 'at once')
  const votes = await Promise.allSettled([bob, cid].map(({ api }) => api.approveActivity({ fingerprint })))
  const ended = await activityAs(ann.api, id)
  t.is(ended.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(ended.votes.length, 1 + votes.filter(({ status }) => status === 'fulfilled').length)
  t.true(ended.votes.length > 1)
})

test('the root quorum approves what a policy makes wait', async (t) => {
  const [ann] = people as [Person]
  const { id, fingerprint } = await ask(ann, 'root approves')
  await root.approveActivity({ fingerprint })
  t.is((await activityAs(ann.api, id)).status, 'ACTIVITY_STATUS_COMPLETED')
})

test('the same vote sent again is the same activity, and two users may send the same body', async (t) => {
  const [ann, bob, cid] = people as [Person, Person, Person]
  const { fingerprint } = await ask(ann, 'same body')
  const timestampMs = String(Date.now())
  const first = await bob.api.approveActivity({ fingerprint, timestampMs })
  const again = await bob.api.approveActivity({ fingerprint, timestampMs })
  t.is(again.activity.id, first.activity.id)
  t.is((await refusal(t, cid.api.approveActivity({ fingerprint, timestampMs }))).code, 5, 'a vote of its own, too late')
})

test('a root quorum of two: what one root user asks waits for the other', async (t) => {
  const [one, two] = await newPeople(root, dev, ['root one', 'root two'])
  if (one === undefined || two === undefined) return t.fail()
  const { subOrganizationId } = await root.createSubOrganization({
    subOrganizationName: 'two roots',
    rootUsers: [one, two].map(({ key }, i) => ({
      userName: `root ${i}`,
      apiKeys: [{ apiKeyName: 'k', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
      authenticators: [],
      oauthProviders: [],
    })),
    rootQuorumThreshold: 2,
  })
  const of = ({ key }: Person) =>
    turnkeyClient({
      ...dev,
      organizationId: subOrganizationId,
      apiPublicKey: key.publicKey,
      apiPrivateKey: key.privateKey,
    })
  const credentials = {
    organizationId: subOrganizationId,
    apiPublicKey: one.key.publicKey,
    apiPrivateKey: one.key.privateKey,
  }
  const parameters = { userTagName: 'tag', userIds: [] }
  const bare = new Client(dev.baseUrl, credentials)
  const { json } = await bare.submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters)
  t.is(json.activity.status, WAITING)
  t.is((await of(two).listUserTags()).userTags.length, 0)
  const approved = await of(two).approveActivity({ fingerprint: json.activity.fingerprint })
  const { createUserTagResult } = approved as unknown as { createUserTagResult: { userTagId: string } }
  t.deepEqual(
    (await of(one).listUserTags()).userTags.map((tag) => tag.tagId),
    [createUserTagResult.userTagId],
  )
})
