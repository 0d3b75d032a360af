/** Policies over what is really signed, through the built gate. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { refusalOf, type GateRequest, type KeyRecord } from '../support/component.ts'
import { resultOf } from '../support/organization-requests.ts'
import { Team } from '../support/team.ts'
import { transactionVectors } from '../support/transactions.ts'

const dataKey = new Uint8Array(32).fill(12)

async function open() {
  const team = await Team.open(dataKey)
  const { key } = team.bench.create('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  return { team, key, user: team.join('user') }
}

/** `ALLOW`, or the refusal with what each policy said. */
function decided(team: Team, request: GateRequest): string {
  try {
    team.perform(request)
    return 'ALLOW'
  } catch (error) {
    const { payload } = error as { payload?: { code: string; policyEvaluations: { outcome: string }[] } }
    if (payload?.code !== 'REQUEST_NOT_AUTHORIZED') throw error
    return ['DENY', ...payload.policyEvaluations.map(({ outcome }) => outcome.replace('OUTCOME_', ''))].join(' ')
  }
}

test('without a policy a user may nothing; the refusal says so and names no policy', async (t) => {
  const { team, key, user } = await open()
  t.is(decided(team, team.signing(key, user)), 'DENY')
  const { message } = refusalOf(() => team.perform(team.signing(key, user)))
  t.is(message, 'No policies evaluated to outcome: Allow; request not authorized')
})

test('explicit deny wins, implicit deny otherwise, and the refusal shows every outcome', async (t) => {
  const { team, key, user } = await open()
  const allowId = team.policy('ALLOW', { condition: "activity.kind == 'SIGN_RAW_PAYLOAD'" })
  t.is(decided(team, team.signing(key, user)), 'ALLOW')
  const { evaluation } = team.perform(team.signing(key, user))
  t.like(JSON.parse(evaluation.text), {
    outcome: 'OUTCOME_ALLOW',
    policyEvaluations: [{ policyId: allowId, outcome: 'OUTCOME_ALLOW' }],
  })
  team.policy('DENY', { condition: `private_key.id == '${key.keyId}'` })
  t.is(decided(team, team.signing(key, user)), 'DENY ALLOW DENY_EXPLICIT')
  t.is(refusalOf(() => team.perform(team.signing(key, user))).message, 'policy engine denied request explicitly')
  const other = team.bench.create('CURVE_SECP256K1').key
  t.is(decided(team, team.signing(other, user)), 'ALLOW')
  const root = { userId: '', publicKey: team.bench.request('', {}).stampPublicKey }
  t.is(decided(team, team.signing(key, root)), 'ALLOW', 'the root quorum is not asked about policies')
})

test('what a policy cannot know errs: it never allows, and a DENY denies', async (t) => {
  const { team, key, user } = await open()
  team.policy('ALLOW', { condition: 'private_key.exported == false' })
  t.is(decided(team, team.signing(key, user)), 'DENY ERROR')
  team.policy('ALLOW', { condition: 'true == true' })
  t.is(decided(team, team.signing(key, user)), 'ALLOW')
  team.policy('DENY', { condition: 'private_key.exported == true' })
  t.is(decided(team, team.signing(key, user)), 'DENY ERROR ALLOW ERROR')
})

test('a key is known by id, name, origin and tags; the certificate must be its own', async (t) => {
  const { team, key, user } = await open()
  const tag = { privateKeyTagName: 'hot', privateKeyIds: [key.keyId] }
  const { privateKeyTagId } = resultOf(team.bench.change('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', tag, [key]))
  const tagged = `private_key.tags.contains('${privateKeyTagId}')`
  team.policy('ALLOW', { condition: `${tagged} && private_key.label == 'test' && private_key.imported == false` })
  const signing = (each: KeyRecord) => decided(team, team.signing(each, user))
  t.is(signing(key), 'ALLOW')
  const { certificate: _, ...bare } = key
  t.is(signing(bare), 'DENY ERROR', 'nothing is known without a certificate')
  const sibling = team.bench.create('CURVE_SECP256K1').key
  t.is(signing(sibling), 'DENY DENY_IMPLICIT')
  const codeOf = (each: KeyRecord) => refusalOf(() => team.perform(team.signing(each, user))).code
  t.is(codeOf({ ...sibling, certificate: key.certificate }), 'SEALED_KEY_REFUSED')
  const { text, seal } = key.certificate as NonNullable<typeof key.certificate>
  t.is(codeOf({ ...key, certificate: { text: text.replace('"test"', '"best"'), seal } }), 'SEALED_KEY_REFUSED')
  t.is(codeOf({ ...key, certificate: { text, seal: new Uint8Array(32) } }), 'SEALED_KEY_REFUSED')
  t.is(codeOf({ ...key, certificate: team.bench.organization }), 'SEALED_KEY_REFUSED')
})

test('an account is known by its wallet and address, and is no private key', async (t) => {
  const { team, user } = await open()
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
  const creating = team.bench.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'w', accounts: [account] })
  const outcome = team.perform(creating)
  const { walletId, addresses } = resultOf(outcome)
  const key = outcome.newKeys[0]?.key as KeyRecord
  const policyId = team.policy('ALLOW', {
    condition: `wallet.id == '${walletId}' && wallet_account.address == '${addresses[0]}'`,
  })
  t.is(decided(team, team.signing(key, user)), 'ALLOW')
  const single = team.bench.create('CURVE_SECP256K1').key
  t.is(decided(team, team.signing(single, user)), 'DENY ERROR')
  team.bench.change('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyCondition: `private_key.id == '${key.keyId}'` })
  t.is(decided(team, team.signing(key, user)), 'DENY ERROR')
})

test('of several payloads each must be allowed', async (t) => {
  const { team, key, user } = await open()
  team.policy('ALLOW', { condition: "eth.eip_712.primary_type == 'A'" })
  const typed = (primaryType: string) =>
    JSON.stringify({ domain: {}, types: { A: [], B: [] }, primaryType, message: {} })
  const payloads = (...types: string[]) =>
    team.bench.request(
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
      {
        signWith: key.keyId,
        payloads: types.map(typed),
        encoding: 'PAYLOAD_ENCODING_EIP712',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      },
      [key],
      { stampPublicKey: user.publicKey },
    )
  t.is(decided(team, payloads('A', 'A')), 'ALLOW')
  t.is(decided(team, payloads('A', 'B')), 'DENY DENY_IMPLICIT')
})

test('a transaction is judged by its own bytes', async (t) => {
  const { team, key, user } = await open()
  const [vector] = transactionVectors('ethereum')
  const unsigned = vector?.unsignedTransaction
  const sign = (by = user) =>
    team.bench.request(
      'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      { signWith: key.keyId, unsignedTransaction: unsigned, type: 'TRANSACTION_TYPE_ETHEREUM' },
      [key],
      { stampPublicKey: by.publicKey },
    )
  const policyId = team.policy('ALLOW', {
    condition: "activity.params.type == 'TRANSACTION_TYPE_ETHEREUM' && eth.tx.gas >= 0",
  })
  t.is(decided(team, sign()), 'ALLOW')
  team.bench.change('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyCondition: 'eth.tx.gas < 0' })
  t.is(decided(team, sign()), 'DENY DENY_IMPLICIT')
})

test('time is the host’s', async (t) => {
  const { team, key, user } = await open()
  team.policy('ALLOW', { time: "time.now < Timestamp('2023-11-14T22:13:20Z')" })
  t.is(decided(team, { ...team.signing(key, user), nowMs: 1_699_999_999_999n }), 'ALLOW')
  t.is(decided(team, { ...team.signing(key, user), nowMs: 1_700_000_000_000n }), 'DENY TIME_INACTIVE')
})

test('a consensus of one is the submitter, by id, tag, e-mail, name or credential', async (t) => {
  const { team, key, user } = await open()
  const userTag = { userTagName: 'ops', userIds: [user.userId] }
  const { userTagId } = resultOf(team.bench.change('ACTIVITY_TYPE_CREATE_USER_TAG', userTag))
  team.bench.change('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: user.userId, userEmail: 'a@example.org' })
  const policyId = team.policy('ALLOW', {})
  const holds = (policyConsensus: string) => {
    team.bench.change('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyConsensus })
    return decided(team, team.signing(key, user))
  }
  for (const each of [
    `approvers.any(user, user.id == '${user.userId}')`,
    `approvers.any(user, user.tags.contains('${userTagId}'))`,
    "approvers.any(user, user.email == 'a@example.org' && user.alias == 'user')",
    `credentials.any(c, c.public_key == '${user.publicKey}' && c.type == 'CREDENTIAL_TYPE_API_KEY_P256')`,
    `credentials.any(c, c.user_id == '${user.userId}')`,
  ]) {
    t.is(holds(each), 'ALLOW', each)
  }
  t.is(holds(`approvers.any(user, user.id == '${randomUUID()}')`), 'DENY DENY_IMPLICIT')
})

test('a dry run decides like the gate, over the present or other policies, and does nothing', async (t) => {
  const { team, key, user } = await open()
  const policyId = team.policy('ALLOW', { condition: `private_key.id == '${key.keyId}'` })
  const request = team.signing(key, user)
  const {
    stampScheme: _,
    stampPublicKey: __,
    evaluation: ___,
    votes: ____,
    target: _____,
    place: ______,
    ...brought
  } = request
  const simulate = (candidates?: object[], userId = user.userId) =>
    JSON.parse(
      team.bench.component.gate.simulate({
        ...brought,
        subjects: [{ userId, publicKey: undefined }],
        candidatePolicies: candidates && JSON.stringify(candidates),
      }),
    ) as object
  const allow = { policyId, outcome: 'OUTCOME_ALLOW' }
  const present = { outcome: 'OUTCOME_ALLOW', policyEvaluations: [allow], voterIds: [], organizationVersion: 3 }
  t.deepEqual(simulate(), present)
  t.like(simulate([]), { outcome: 'OUTCOME_DENY_IMPLICIT', policyEvaluations: [] })
  const deny = { policyId: 'candidate', effect: 'EFFECT_DENY', condition: 'private_key.imported == false' }
  t.like(simulate([deny]), {
    outcome: 'OUTCOME_DENY_EXPLICIT',
    policyEvaluations: [{ policyId: 'candidate', outcome: 'OUTCOME_DENY_EXPLICIT' }],
  })
  const bad = refusalOf(() => simulate([{ ...deny, condition: 'nonsense' }]))
  t.is(`${bad.code} ${bad.field}`, 'POLICY_INVALID candidatePolicies.0.condition')
  t.is(refusalOf(() => simulate(undefined, randomUUID())).code, 'USER_NOT_FOUND')
})
