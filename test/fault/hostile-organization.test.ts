/**
 * A gateway that was taken over against users, policies, votes and records: everything in its hands is genuine but for one
 * thing. Each forgery has its own refusal, or leaves the activity waiting; none brings a signature. Beside each family
 * stands the honest call that succeeds.
 */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { Notarized, Outcome, OutcomeStatus, SealedKey, Vote } from '../../signer-core/protocol/messages.ts'
import type { RefusalCode } from '../../signer-core/protocol/refusals.ts'
import { newStampingKey, stampBy, type StampingKey } from '../support/api-keys.ts'
import { startLauncher } from '../support/launcher.ts'
import { bodyOf, TakenGateway, type Call, type Member } from '../support/taken-gateway.ts'

// The reference engine takes seconds for a wallet, and more on a busy machine.
const environment = { KEYSTEAD_SIGNER_HOSTS: '1', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const launcher = await startLauncher({ environment })
const HOUR_MS = 3_600_000

type Expected = RefusalCode | Exclude<OutcomeStatus, 'COMPLETED'> | 'SIMULATED'
type Forgery = [name: string, call: object, expected: Expected]

let own: TakenGateway
let foreign: TakenGateway
let [a, b, c, stranger, brief, gone]: Member[] = []
let wallet: Member
let edwards: Member
let revoked: StampingKey
/** Whom one policy allows to sign with `allowed`, and another with the account of one wallet. */
let payer: Member
let key: SealedKey
let allowed: SealedKey
let account: SealedKey
let otherAccount: SealedKey
let hotTagId: string
/** When one approval was enough, and the version before `gone` went. */
let lax: Notarized
let beforeDeletion: Notarized
let deletedSub: TakenGateway
let hostPids: number[]

test.before(async () => {
  own = await TakenGateway.found(launcher)
  foreign = await TakenGateway.found(launcher)
  a = await own.join('a')
  b = await own.join('b')
  c = await own.join('c')
  stranger = await own.join('stranger')
  payer = await own.join('payer')
  wallet = await own.join('wallet', newStampingKey('API_KEY_CURVE_SECP256K1'))
  edwards = await own.join('edwards', newStampingKey('API_KEY_CURVE_ED25519'))
  gone = await own.join('gone')
  key = await own.newKey()
  allowed = await own.newKey()
  const wallets = [await own.newAccount(), await own.newAccount()]
  account = wallets[0]?.key as SealedKey
  otherAccount = wallets[1]?.key as SealedKey
  const tag = { privateKeyTagName: 'hot', privateKeyIds: [allowed.keyId] }
  hotTagId = (await own.change('CREATE_PRIVATE_KEY_TAG', tag, own.root, [allowed])).result.privateKeyTagId
  const isPayer = `approvers.any(user, user.id == '${payer.userId}')`
  await own.policy('ALLOW', { condition: `private_key.tags.contains('${hotTagId}')`, consensus: isPayer })
  await own.policy('ALLOW', { condition: `wallet.id == '${wallets[0]?.walletId}'`, consensus: isPayer })
  const ids = [a, b, c, gone].map((member) => `'${member?.userId}'`).join(', ')
  const ofThree = (count: number) => `approvers.filter(user, user.id in [${ids}]).count() >= ${count}`
  const condition = `private_key.id == '${key.keyId}'`
  const policyId = await own.policy('ALLOW', { condition, consensus: ofThree(1) })
  lax = own.present
  await own.change('UPDATE_POLICY_V2', { policyId, policyConsensus: ofThree(2) })
  beforeDeletion = own.present
  await own.change('DELETE_USERS', { userIds: [gone?.userId] })

  revoked = newStampingKey()
  const apiKeys = [{ apiKeyName: 'second', publicKey: revoked.publicKey, curveType: revoked.curveType }]
  const { result } = await own.change('CREATE_API_KEYS_V2', { userId: b.userId, apiKeys }, b.key)
  await own.change('DELETE_API_KEYS', { userId: b.userId, apiKeyIds: result.apiKeyIds }, b.key)
  brief = await own.join('brief', newStampingKey(), '1')
  deletedSub = await deletedSubOrganization()
  // Until the key of one second has expired.
  await sleep(1_100)
  await own.perform(honest())
  hostPids = launcher.hostPids()
})

test.after.always(async () => {
  for (const each of [own, foreign, deletedSub]) each?.close()
  await launcher.stop()
  rmSync(launcher.dataDir, { recursive: true, force: true })
})

async function deletedSubOrganization(): Promise<TakenGateway> {
  const root = newStampingKey()
  const apiKeys = [{ apiKeyName: 'k', publicKey: root.publicKey, curveType: root.curveType }]
  const rootUsers = [{ userName: 'r', apiKeys, authenticators: [], oauthProviders: [] }]
  const parameters = { subOrganizationName: 's', rootUsers, rootQuorumThreshold: 1 }
  const { outcome } = await own.change('CREATE_SUB_ORGANIZATION_V8', parameters)
  const sub = await TakenGateway.of(launcher, root, outcome.newOrganization as Notarized)
  await sub.change('DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
  return sub
}

/** What the root user may always do. */
function honest(): Call {
  return own.call(own.signing(key), own.root, [key])
}

let forgeries = 0
let signatures = 0
const names = new Set<string>()

async function refuseAll(t: ExecutionContext, rows: Forgery[]): Promise<void> {
  for (const [name, call, expected] of rows) {
    forgeries++
    names.add(name)
    const answer = await own.send(call)
    if (/signRawPayload|signature":/.test(JSON.stringify(answer.value?.result ?? ''))) signatures++
    const simulated = answer.ok && answer.value.status === undefined && answer.value.evaluation === undefined
    const said = answer.ok ? answer.value.status : answer.refusal.code
    t.is(simulated ? 'SIMULATED' : said, expected, name)
    if (answer.ok && !simulated) t.is(answer.value.result, '{}', name)
  }
}

const edited = (record: Notarized, change: (record: Record<string, never>) => void): Notarized => {
  const parsed = JSON.parse(record.text)
  change(parsed)
  return { text: JSON.stringify(parsed), seal: record.seal }
}

test.serial('the record: older, forked, edited', async (t) => {
  t.is((await own.perform(honest())).status, 'COMPLETED')
  const under = (organization: Notarized, call = honest()): Call => ({ ...call, organization })
  // oxlint-disable-next-line no-explicit-any -- each edit bends another member
  const forged = (name: string, change: (record: any) => void): Forgery => [
    name,
    under(edited(own.present, change)),
    'ORGANIZATION_RECORD_REFUSED',
  ]
  const byGone = own.call(own.signing(key), gone?.key as StampingKey, [key])
  const renamed = await own.perform(
    own.call(own.body('UPDATE_ORGANIZATION_NAME', { organizationName: 'One' }), own.root),
  )
  const other = await own.perform(own.call(own.body('UPDATE_ORGANIZATION_NAME', { organizationName: 'Two' }), own.root))
  await refuseAll(t, [
    ['the first version', under(own.versions[0] as Notarized), 'ORGANIZATION_RECORD_OUTDATED'],
    ['the version before', under(own.versions.at(-2) as Notarized), 'ORGANIZATION_RECORD_OUTDATED'],
    ['the version in which a deleted user lived', under(beforeDeletion, byGone), 'ORGANIZATION_RECORD_OUTDATED'],
    [
      'the version with the lax policy',
      under(lax, own.call(own.signing(key), (a as Member).key, [key])),
      'ORGANIZATION_RECORD_OUTDATED',
    ],
    forged('a user inserted', (record) => record.users.push({ ...record.users[0], userId: randomUUID(), apiKeys: [] })),
    forged('an API key inserted', (record) =>
      record.users[1].apiKeys.push({ ...record.users[0].apiKeys[0], publicKey: newStampingKey().publicKey }),
    ),
    forged('an API key swapped', (record) => (record.users[0].apiKeys[0].publicKey = newStampingKey().publicKey)),
    forged('an expiry put off', (record) => (record.users.at(-1).apiKeys[0].expiresAtMs = Date.now() + HOUR_MS)),
    forged('a user made root', (record) => record.rootQuorum.userIds.push(record.users[1].userId)),
    forged('the threshold lowered', (record) => (record.rootQuorum.threshold = 0)),
    forged('a policy inserted', (record) =>
      record.policies.push({ ...record.policies[0], policyId: randomUUID(), condition: '' }),
    ),
    forged('a policy widened', (record) => (record.policies[0].condition = '')),
    forged('a policy removed', (record) => record.policies.pop()),
    forged('a tag moved to another key', (record) => (record.privateKeyTags[0].privateKeyIds = [key.keyId])),
    forged('a user tag given', (record) => record.users[1].userTags.push(hotTagId)),
    forged('a higher version', (record) => record.version++),
    [
      'the seal of the version before',
      under({ ...own.present, seal: own.versions.at(-2)?.seal as string }),
      'ORGANIZATION_RECORD_REFUSED',
    ],
    [
      'a tampered seal',
      under({ ...own.present, seal: own.present.seal.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
      'ORGANIZATION_RECORD_REFUSED',
    ],
    ['the record of another organization', under(foreign.present), 'ORGANIZATION_MISMATCH'],
  ])
  // Of two versions made from one, the first that is brought counts.
  own.versions.push(renamed.organization as Notarized)
  t.is((await own.perform(honest())).status, 'COMPLETED')
  await refuseAll(t, [
    ['the other version of the same number', under(other.organization as Notarized), 'ORGANIZATION_FORKED'],
  ])
})

test.serial('a deleted organization that is shown as it was', async (t) => {
  const [before] = deletedSub.versions as [Notarized]
  const call = deletedSub.call(deletedSub.body('CREATE_WALLET', { walletName: 'w', accounts: [] }), deletedSub.root)
  const under = (organization: Notarized): Call => ({ ...call, organization })
  const undone = edited(deletedSub.present, (record) => delete record['deletedAtMs'])
  await refuseAll(t, [
    ['deleted', call, 'ORGANIZATION_DELETED'],
    ['with its deletion undone', under(undone), 'ORGANIZATION_RECORD_REFUSED'],
    ['by its former seal', under({ ...deletedSub.present, seal: before.seal }), 'ORGANIZATION_RECORD_REFUSED'],
    ['as it was before', under(before), 'ORGANIZATION_RECORD_OUTDATED'],
  ])
})

test.serial('credentials: revoked, expired, gone, foreign, of another scheme', async (t) => {
  const body = own.signing(allowed)
  const by = (each: StampingKey | undefined) => own.call(body, each as StampingKey, [allowed])
  t.is((await own.perform(by(payer.key))).status, 'COMPLETED')
  for (const [member, scheme] of [
    [wallet, undefined],
    [wallet, 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'],
    [edwards, undefined],
  ] as const) {
    const apiKeys = [{ apiKeyName: 'k', publicKey: newStampingKey().publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const change = own.body('CREATE_API_KEYS_V2', { userId: member.userId, apiKeys })
    t.is((await own.perform(own.call(change, member.key, [], scheme))).status, 'COMPLETED', `${scheme}`)
  }
  const withStamp = (stamp: object) => ({ ...by(payer.key), stamp })
  const personal = stampBy(wallet.key, body, 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191')
  await refuseAll(t, [
    ['a revoked API key', by(revoked), 'API_KEY_UNKNOWN'],
    ['an expired API key', by(brief?.key), 'API_KEY_EXPIRED'],
    ['a deleted user', by(gone?.key), 'API_KEY_UNKNOWN'],
    ['a user of another organization', by(foreign.root), 'API_KEY_UNKNOWN'],
    ['nobody’s key', by(newStampingKey()), 'API_KEY_UNKNOWN'],
    ['a secp256k1 key that nobody has', by(newStampingKey('API_KEY_CURVE_SECP256K1')), 'API_KEY_UNKNOWN'],
    ['no stamp', { ...by(payer.key), stamp: undefined }, 'STAMP_INVALID'],
    ['the stamp of another body', withStamp(stampBy(payer.key, own.signing(key))), 'STAMP_INVALID'],
    [
      'a secp256k1 stamp as of P-256',
      withStamp({ ...stampBy(wallet.key, body), scheme: 'SIGNATURE_SCHEME_TK_API_P256' }),
      'STAMP_INVALID',
    ],
    [
      'a wallet’s stamp as a plain one',
      withStamp({ ...personal, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' }),
      'STAMP_INVALID',
    ],
    [
      'a plain stamp as a wallet’s',
      withStamp({ ...stampBy(wallet.key, body), scheme: personal.scheme }),
      'STAMP_INVALID',
    ],
    ['an ed25519 stamp of another body', withStamp(stampBy(edwards.key, `${body} `)), 'STAMP_INVALID'],
    [
      'an ed25519 stamp under another key',
      withStamp({ ...stampBy(edwards.key, body), publicKey: newStampingKey('API_KEY_CURVE_ED25519').publicKey }),
      'STAMP_INVALID',
    ],
    [
      'an ed25519 stamp as of P-256',
      withStamp({ ...stampBy(edwards.key, body), scheme: 'SIGNATURE_SCHEME_TK_API_P256' }),
      'STAMP_INVALID',
    ],
  ])
})

test.serial('policies: other keys, lent certificates, lent evaluations, candidates', async (t) => {
  const sign = (each: SealedKey, by = payer.key) => own.call(own.signing(each), by, [each])
  t.is((await own.perform(sign(allowed))).status, 'COMPLETED')
  t.is((await own.perform(sign(account))).status, 'COMPLETED')
  const { certificate: _, ...bare } = otherAccount
  const { certificate } = account
  const ofRoot = await own.perform(own.call(own.signing(key), own.root, [key]))
  const label = allowed.certificate?.text.replace('"a"', '"b"') ?? ''
  const candidatePolicies = [{ policyId: 'x', effect: 'EFFECT_ALLOW' }]
  const { stamp: __, ...unstamped } = sign(key)
  await refuseAll(t, [
    ['a key without the tag', sign(key), 'REQUEST_NOT_AUTHORIZED'],
    ['a key of another user’s policy', sign(allowed, stranger?.key), 'REQUEST_NOT_AUTHORIZED'],
    [
      'a key with the certificate of the allowed one',
      own.call(own.signing(key), payer.key, [{ ...key, certificate: allowed.certificate as Notarized }]),
      'SEALED_KEY_REFUSED',
    ],
    [
      'a certificate with another label',
      own.call(own.signing(allowed), payer.key, [
        { ...allowed, certificate: { text: label, seal: allowed.certificate?.seal ?? '' } },
      ]),
      'SEALED_KEY_REFUSED',
    ],
    [
      'a certificate that is the record',
      own.call(own.signing(key), payer.key, [{ ...key, certificate: own.present }]),
      'SEALED_KEY_REFUSED',
    ],
    [
      'the allowed key’s blob under another id',
      own.call(own.signing(key), own.root, [{ ...allowed, keyId: key.keyId }]),
      'SEALED_KEY_REFUSED',
    ],
    ['an account of another wallet', sign(otherAccount), 'REQUEST_NOT_AUTHORIZED'],
    [
      'an account of another wallet, claimed of this one',
      own.call(own.signing(otherAccount), payer.key, [{ ...otherAccount, certificate: certificate as Notarized }]),
      'SEALED_KEY_REFUSED',
    ],
    [
      'an account without its certificate',
      own.call(own.signing(otherAccount), payer.key, [bare]),
      'REQUEST_NOT_AUTHORIZED',
    ],
    [
      'an account as a tagged key',
      own.call(own.signing(otherAccount), payer.key, [
        { ...otherAccount, certificate: allowed.certificate as Notarized },
      ]),
      'SEALED_KEY_REFUSED',
    ],
    ['the root user’s evaluation', { ...sign(key), evaluation: ofRoot.evaluation }, 'SIGNER_REQUEST_MISMATCH'],
    [
      'an evaluation edited to allow',
      { ...sign(key), evaluation: { ...ofRoot.evaluation, text: ofRoot.evaluation.text.replace('ALLOW', 'ALLOWED') } },
      'SIGNER_REQUEST_MISMATCH',
    ],
    ['candidate policies without a dry run', { ...sign(key), candidatePolicies }, 'BODY_INVALID'],
    ['candidate policies in nearly a dry run', { ...sign(key), dryRun: 'true', candidatePolicies }, 'BODY_INVALID'],
    [
      'a dry run over policies that allow everything',
      { ...unstamped, dryRun: true, subjects: [{ userId: payer.userId }], candidatePolicies },
      'SIMULATED',
    ],
    [
      'a dry run as the root user',
      { ...unstamped, dryRun: true, subjects: [{ userId: own.record.rootQuorum.userIds[0] }] },
      'SIMULATED',
    ],
    ['a dry run without a subject', { ...unstamped, dryRun: true, subjects: [] }, 'BODY_INVALID'],
    [
      'a dry run over a forged record',
      {
        ...unstamped,
        dryRun: true,
        subjects: [{ userId: payer.userId }],
        organization: edited(own.present, (record) => delete record['policies']),
      },
      'ORGANIZATION_RECORD_REFUSED',
    ],
  ])
})

test.serial('changes of the organization that nobody allowed', async (t) => {
  const as = stranger?.key as StampingKey
  const attempt = (type: string, parameters: object, keys: SealedKey[] = []) =>
    own.call(own.body(type, parameters), as, keys)
  const apiKeys = [{ apiKeyName: 'k', publicKey: newStampingKey().publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'u', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  const rootId = own.record.rootQuorum.userIds[0] as string
  const policyId = own.record.policies[0]?.policyId as string
  const changes: [string, object, SealedKey[]?][] = [
    ['CREATE_USERS_V4', { users: [user] }],
    ['CREATE_API_KEYS_V2', { userId: rootId, apiKeys }],
    ['UPDATE_USER', { userId: stranger?.userId, userTagIds: [] }],
    ['DELETE_USERS', { userIds: [b?.userId] }],
    ['CREATE_POLICY_V3', { policyName: 'p', effect: 'EFFECT_ALLOW', notes: '' }],
    ['UPDATE_POLICY_V2', { policyId, policyCondition: '' }],
    ['DELETE_POLICIES', { policyIds: [policyId] }],
    ['UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [stranger?.userId] }],
    [
      'UPDATE_PRIVATE_KEY_TAG',
      { privateKeyTagId: hotTagId, addPrivateKeyIds: [key.keyId], removePrivateKeyIds: [] },
      [key],
    ],
    ['CREATE_USER_TAG', { userTagName: 't', userIds: [stranger?.userId] }],
    ['SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_WEBHOOK', value: 'x' }],
    ['CREATE_SUB_ORGANIZATION_V8', { subOrganizationName: 's', rootUsers: [user], rootQuorumThreshold: 1 }],
  ]
  await refuseAll(
    t,
    changes.map(([type, parameters, keys]) => [type, attempt(type, parameters, keys), 'REQUEST_NOT_AUTHORIZED']),
  )
  const { outcome } = await own.change('CREATE_API_KEYS_V2', { userId: stranger?.userId, apiKeys }, as)
  t.is(outcome.status, 'COMPLETED', 'their own credentials they may change')
})

/** An activity of `a` that waits, and how it comes again with votes. */
async function beginToWait(payload: string) {
  const submitter = (a as Member).key
  const body = own.signing(key, payload)
  const call = own.call(body, submitter, [key])
  const waiting = await own.perform(call)
  const again = (votes: Vote[], more: object = {}) => ({
    ...call,
    organization: own.present,
    evaluation: waiting.evaluation,
    votes,
    ...more,
  })
  return { body, call, waiting, again }
}

test.serial('votes that do not count, and votes that are none', async (t) => {
  const { body, waiting, again } = await beginToWait('pay Alice 1')
  t.is(waiting.status, 'CONSENSUS_NEEDED')
  const [mine, other, third] = [a, b, c].map((member) => (member as Member).key) as [
    StampingKey,
    StampingKey,
    StampingKey,
  ]
  const vote = own.vote(body, other)
  const second = await beginToWait('pay Mallory 1000')
  const ofSecond = own.vote(second.body, other)
  const foreignVote = foreign.vote(body, foreign.root)
  const { stamp } = own.vote(body, third)
  const sealOf = ({ evaluation }: Outcome) => evaluation.seal
  await refuseAll(t, [
    ['no vote', again([]), 'CONSENSUS_NEEDED'],
    ['a vote of a user whom nothing asks', again([own.vote(body, (stranger as Member).key)]), 'CONSENSUS_NEEDED'],
    ['a vote of a foreign user in our name', again([own.vote(body, foreign.root)]), 'CONSENSUS_NEEDED'],
    ['a vote in another organization', again([foreignVote]), 'VOTE_REFUSED'],
    ['a vote of the submitter', again([own.vote(body, mine)]), 'CONSENSUS_NEEDED'],
    [
      'two votes of the submitter',
      again([own.vote(body, mine), own.vote(body, mine, 'APPROVE', Date.now() - 1)]),
      'CONSENSUS_NEEDED',
    ],
    ['a vote by a revoked key', again([own.vote(body, revoked)]), 'CONSENSUS_NEEDED'],
    ['a vote by an expired key', again([own.vote(body, (brief as Member).key)]), 'CONSENSUS_NEEDED'],
    ['a vote of a deleted user', again([own.vote(body, (gone as Member).key)]), 'CONSENSUS_NEEDED'],
    ['a vote of yesterday', again([own.vote(body, other, 'APPROVE', Date.now() - 24 * HOUR_MS)]), 'CONSENSUS_NEEDED'],
    ['a vote of tomorrow', again([own.vote(body, other, 'APPROVE', Date.now() + HOUR_MS)]), 'CONSENSUS_NEEDED'],
    ['a rejection', again([own.vote(body, other, 'REJECT')]), 'REJECTED'],
    ['a rejection beside an approval', again([vote, own.vote(body, third, 'REJECT')]), 'REJECTED'],
    ['the approval of another activity', again([ofSecond]), 'VOTE_REFUSED'],
    ['an activity of the voter as a vote', again([own.stamped(own.signing(key), other)]), 'VOTE_REFUSED'],
    [
      'a vote of other bytes',
      again([{ ...vote, body: Buffer.from(`${bodyOf(vote)} `).toString('base64') }]),
      'STAMP_INVALID',
    ],
    [
      'a rejection turned into an approval',
      again([{ ...own.vote(body, other, 'REJECT'), body: vote.body }]),
      'STAMP_INVALID',
    ],
    [
      'a vote under another’s stamp',
      again([{ ...vote, stamp: { ...stamp, publicKey: vote.stamp.publicKey } }]),
      'STAMP_INVALID',
    ],
    ['a vote without a stamp', again([{ ...vote, stamp: undefined as never }]), 'STAMP_INVALID'],
    ['101 votes', again(Array.from({ length: 101 }, () => vote)), 'BODY_INVALID'],
    ['a vote without the evaluation', again([vote], { evaluation: undefined }), 'SIGNER_REQUEST_MISMATCH'],
    [
      'the evaluation of another activity',
      again([vote], { evaluation: second.waiting.evaluation }),
      'SIGNER_REQUEST_MISMATCH',
    ],
    [
      'an evaluation that says it is allowed',
      again([], {
        evaluation: { text: waiting.evaluation.text.replace('REQUIRES_CONSENSUS', 'ALLOW'), seal: sealOf(waiting) },
      }),
      'SIGNER_REQUEST_MISMATCH',
    ],
    [
      'an evaluation with votes in it',
      again([], {
        evaluation: {
          text: waiting.evaluation.text.replace('"voteIds":[]', `"voteIds":["${vote.activityId}"]`),
          seal: sealOf(waiting),
        },
      }),
      'SIGNER_REQUEST_MISMATCH',
    ],
    ['the approved body as a new activity', again([vote], { activityId: randomUUID() }), 'SIGNER_REQUEST_MISMATCH'],
    [
      'another body under the approved activity',
      again([vote], { ...second.call, activityId: second.call.activityId }),
      'VOTE_REFUSED',
    ],
    ['the lax version of the policy', again([], { organization: lax }), 'ORGANIZATION_RECORD_OUTDATED'],
    [
      'another key under the approved id',
      again([vote], { keys: [{ ...allowed, keyId: key.keyId }] }),
      'SEALED_KEY_REFUSED',
    ],
    [
      'votes as a target',
      again([vote], { target: { ...vote, votes: [], evaluation: waiting.evaluation } }),
      'VOTE_REFUSED',
    ],
  ])
  t.is((await own.perform(again([vote]) as Call)).status, 'COMPLETED')
})

test.serial('votes that may not be cast', async (t) => {
  const { body, call, waiting } = await beginToWait('pay Alice 2')
  const [mine, other] = [(a as Member).key, (b as Member).key]
  const { activityId, body: bytes, stamp } = call
  const target = { activityId, body: bytes, stamp, votes: [] as Vote[], evaluation: waiting.evaluation }
  const cast = (vote: Vote, more: object = {}) => ({
    ...vote,
    organization: own.present,
    keys: [key],
    target: { ...target, ...more },
  })
  const vote = own.vote(body, other)
  const second = await beginToWait('pay Mallory 1000')
  const done = await own.perform(honest())
  const counted = await own.perform(cast(vote) as unknown as Call)
  t.is(counted.status, 'COMPLETED')
  t.is(counted.result, '{}')
  await refuseAll(t, [
    ['about nothing', { ...cast(vote), target: undefined }, 'ACTIVITY_NOT_FOUND'],
    ['about another activity than it names', cast(own.vote(second.body, other)), 'VOTE_REFUSED'],
    ['by a user whom nothing asks', cast(own.vote(body, (stranger as Member).key)), 'VOTE_NOT_AUTHORIZED'],
    [
      'a rejection by a user whom nothing asks',
      cast(own.vote(body, (stranger as Member).key, 'REJECT')),
      'VOTE_NOT_AUTHORIZED',
    ],
    ['by a foreign user', cast(own.vote(body, foreign.root)), 'API_KEY_UNKNOWN'],
    ['by a revoked key', cast(own.vote(body, revoked)), 'API_KEY_UNKNOWN'],
    ['by an expired key', cast(own.vote(body, (brief as Member).key)), 'API_KEY_EXPIRED'],
    ['by the submitter', cast(own.vote(body, mine)), 'VOTED_ALREADY'],
    ['twice', cast(own.vote(body, other), { votes: [vote] }), 'VOTED_ALREADY'],
    ['of yesterday', cast(own.vote(body, other, 'APPROVE', Date.now() - 24 * HOUR_MS)), 'VOTE_LAPSED'],
    ['of tomorrow', cast(own.vote(body, other, 'APPROVE', Date.now() + HOUR_MS)), 'VOTE_LAPSED'],
    [
      'on a target with the evaluation of another',
      cast(vote, { evaluation: second.waiting.evaluation }),
      'SIGNER_REQUEST_MISMATCH',
    ],
    ['on a target of another id', cast(vote, { activityId: randomUUID() }), 'SIGNER_REQUEST_MISMATCH'],
    ['on a target that does not wait', cast(vote, { evaluation: done.evaluation }), 'SIGNER_REQUEST_MISMATCH'],
    ['on a target that nobody stamped', cast(vote, { stamp: vote.stamp }), 'STAMP_INVALID'],
    ['on a target with a vote that is none', cast(vote, { votes: [own.vote(second.body, other)] }), 'VOTE_REFUSED'],
    ['with votes on itself', { ...cast(vote), votes: [vote] }, 'VOTE_REFUSED'],
    ['on a vote', cast(own.vote(bodyOf(vote), other), { ...vote }), 'VOTE_REFUSED'],
  ])
})

test.serial('an organization of the largest policies costs memory and time, and no host', async (t) => {
  const condition = `1 == 1${' || 1==1'.repeat(1_020)}`
  const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', condition, notes: '' }
  const large = await TakenGateway.found(launcher)
  const user = await large.join('user')
  const sealed = await large.newKey()
  await large.change('CREATE_POLICIES', { policies: Array.from({ length: 6 }, () => policy) })
  // Each version has all of them anew, and the former one need not stay.
  for (const organizationName of ['one', 'two', 'three']) {
    await large.change('UPDATE_ORGANIZATION_NAME', { organizationName })
    t.is((await large.perform(large.call(large.signing(sealed), user.key, [sealed]))).status, 'COMPLETED')
  }
  const { stamp: _, ...call } = large.call(large.signing(sealed), user.key, [sealed])
  const dry = (count: number) => {
    const candidatePolicies = Array.from({ length: count }, () => ({
      policyId: 'x',
      effect: 'EFFECT_ALLOW',
      condition,
    }))
    return large.send({ ...call, dryRun: true, subjects: [{ userId: user.userId }], candidatePolicies })
  }
  t.like(await dry(6), { ok: true, value: { outcome: 'OUTCOME_ALLOW' } })
  t.like(await dry(7), { ok: false, refusal: { code: 'LIMIT_REACHED' } })
  large.close()
  t.deepEqual(launcher.hostPids(), hostPids)
})

test.serial('not one signature came of all that, and the host is the same process', async (t) => {
  t.log(`${forgeries} forgeries, ${signatures} signatures`)
  t.true(forgeries >= 60)
  t.is(names.size, forgeries, 'each is another one')
  t.is(signatures, 0)
  t.deepEqual(launcher.hostPids(), hostPids)
  t.is((await own.perform(honest())).status, 'COMPLETED')
})
