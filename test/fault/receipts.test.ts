/**
 * The signer's log seen from a gateway that speaks to the signer itself: one chain per host and organization through
 * everything that happens to a host, and what a gateway can and cannot do to it.
 */
import { createECDH, createHash, randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { verifyLog } from '../../cli/verify-log.ts'
import type {
  Answer,
  ChainMark,
  Identity,
  Notarized,
  PerformAnswer,
  PerformCall,
  Receipt,
} from '../../signer-core/protocol/messages.ts'
import type { RefusalCode } from '../../signer-core/protocol/refusals.ts'
import { stampOf, type Credentials } from '../support/client.ts'
import { foundingCall } from '../support/founding.ts'
import { startLauncher, type FrameClient, type Launcher } from '../support/launcher.ts'
import { killAll } from '../support/processes.ts'
import { factsOf, logFile, type LogLine } from '../support/receipt-log.ts'

const UNSTORED_MAX = 1_024
const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const privateKeys = [{ privateKeyName: 'k', curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] }]

class Bench {
  readonly launcher: Launcher
  readonly gateway: FrameClient
  readonly publicKey: string
  private constructor(launcher: Launcher, gateway: FrameClient, publicKey: string) {
    this.launcher = launcher
    this.gateway = gateway
    this.publicKey = publicKey
  }

  static async start(t: ExecutionContext): Promise<Bench> {
    const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
    t.teardown(launcher.stop)
    const operator = await launcher.connect('operator')
    const { value } = await operator.call({ identity: true }, 'operator')
    operator.close()
    return new Bench(launcher, await launcher.connect(), (value as Answer<Identity> & { ok: true }).value.publicKey)
  }

  async organization(): Promise<Organization> {
    const pair = createECDH('prime256v1')
    const apiPublicKey = pair.generateKeys('hex', 'compressed')
    const operator = await this.launcher.connect('operator')
    const { value } = await operator.call(foundingCall(apiPublicKey), 'operator')
    operator.close()
    const record = (value as Answer<Notarized> & { ok: true }).value
    const { organizationId } = JSON.parse(record.text) as { organizationId: string }
    const apiPrivateKey = pair.getPrivateKey('hex').padStart(64, '0')
    return { record, credentials: { organizationId, apiPublicKey, apiPrivateKey } }
  }

  async send(call: PerformCall): Promise<PerformAnswer> {
    const { kind, value } = await this.gateway.call(call)
    if (kind !== 'answer') throw new Error(`no answer but ${kind}`)
    return value as PerformAnswer
  }
}

interface Organization {
  record: Notarized
  credentials: Credentials
}

function callOf({ record, credentials }: Organization, type: string, parameters: object): PerformCall {
  const { organizationId } = credentials
  const body = JSON.stringify({ type, timestampMs: '1763693520123', organizationId, parameters })
  const stamp = JSON.parse(Buffer.from(stampOf(credentials, body), 'base64url').toString()) as PerformCall['stamp']
  return { activityId: randomUUID(), body: Buffer.from(body).toString('base64'), stamp, organization: record, keys: [] }
}

const creating = (organization: Organization) => callOf(organization, CREATE, { privateKeys })
/** A known caller's mistake: the cheapest call that has a receipt. */
const mistaken = (organization: Organization) =>
  callOf(organization, SIGN, {
    signWith: 'none',
    payload: 'x',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })

function receiptOf(answer: PerformAnswer): Receipt {
  const receipt = answer.ok === true ? answer.value.receipt : answer.ok === false ? answer.refusal.receipt : undefined
  if (receipt === undefined) throw new Error('an answer without a receipt')
  return receipt
}

function lineOf(receipt: Receipt): LogLine {
  const { chain, sequence } = factsOf(receipt)
  return { receiptId: `${chain.chainId}/${String(sequence).padStart(16, '0')}`, ...receipt }
}

test('a chain goes on through renewals of the instance, refusals included, and another begins with another host', async (t) => {
  const bench = await Bench.start(t)
  const organization = await bench.organization()
  const lines: LogLine[] = []
  const decide = async (call: PerformCall) => {
    const answer = await bench.send(call)
    lines.push(lineOf(receiptOf(answer)))
    return factsOf(receiptOf(answer))
  }
  // An instance lives for 64 calls at most.
  for (let i = 0; i < 70; i++) await decide(i % 10 === 0 ? creating(organization) : mistaken(organization))
  const before = factsOf(lines.at(-1) as LogLine)
  t.is(before.sequence, 70)
  killAll(bench.launcher.hostPids())
  const call = creating(organization)
  let answer = await bench.gateway.call(call)
  while (answer.kind !== 'answer') answer = await bench.gateway.call(call)
  lines.push(lineOf(receiptOf(answer.value as PerformAnswer)))
  const after = factsOf(lines.at(-1) as LogLine)
  t.is(after.sequence, 1)
  t.is(after.previous, '0'.repeat(64))
  t.true(after.chain.chainId > before.chain.chainId, 'it sorts behind')

  const { problems, head } = verifyLog(logFile(lines), bench.publicKey)
  t.deepEqual(problems, [])
  t.deepEqual(Object.keys(head.chains), [before.chain.chainId, after.chain.chainId])
  t.deepEqual([...new Set(lines.map((line) => factsOf(line).outcome))], ['COMPLETED', 'KEY_NOT_FOUND'])
  const digests = lines.map((line) => (JSON.parse(line.text) as { componentDigest: string }).componentDigest)
  t.deepEqual([...new Set(digests)], [bench.launcher.ready.componentDigest])
})

test('a receipt says what was done; who is not known gets none', async (t) => {
  const bench = await Bench.start(t)
  const [organization, other] = [await bench.organization(), await bench.organization()]
  const call = creating(organization)
  const answer = await bench.send(call)
  if (answer.ok !== true) throw new Error('refused')
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  t.like(factsOf(receiptOf(answer)), {
    format: 2,
    type: 'RECEIPT',
    organizationId: organization.credentials.organizationId,
    activityId: call.activityId,
    bodyDigest: sha256(Buffer.from(call.body, 'base64')),
    outcome: 'COMPLETED',
    resultDigest: sha256(answer.value.result),
    evaluationDigest: sha256(answer.value.evaluation.text),
    sequence: 1,
  })
  t.is(answer.backlog?.publicKey, bench.publicKey)
  t.is((factsOf(receiptOf(answer)) as { receiptKey?: string }).receiptKey, answer.backlog?.receiptKey)
  const refused = await bench.send(mistaken(organization))
  const facts = factsOf(receiptOf(refused)) as object
  t.like(facts, { outcome: 'KEY_NOT_FOUND', sequence: 2 })
  t.false('resultDigest' in facts || 'evaluationDigest' in facts)

  const stranger = { record: organization.record, credentials: other.credentials }
  const nobodys: [PerformCall, RefusalCode][] = [
    [{ ...call, body: 'e30=' }, 'STAMP_INVALID'],
    [{ ...creating(other), organization: organization.record }, 'ORGANIZATION_MISMATCH'],
    [
      callOf(
        { ...stranger, credentials: { ...other.credentials, organizationId: organization.credentials.organizationId } },
        CREATE,
        { privateKeys },
      ),
      'API_KEY_UNKNOWN',
    ],
    [{ ...call, organization: { ...call.organization, seal: '00'.repeat(32) } }, 'ORGANIZATION_RECORD_REFUSED'],
  ]
  for (const [each, code] of nobodys) {
    const said = await bench.send(each)
    t.is(said.ok === false ? said.refusal.code : undefined, code)
    t.false('backlog' in said, code)
    t.false(said.ok === false && 'receipt' in said.refusal, code)
  }
  t.is(factsOf(receiptOf(await bench.send(mistaken(organization)))).sequence, 3, 'they have taken no place')
  const foreign = factsOf(receiptOf(await bench.send(creating(other))))
  t.is(foreign.sequence, 1, 'another organization has a chain of its own')
  t.not(foreign.chain.chainId, factsOf(receiptOf(answer)).chain.chainId)
})

test('a gateway cannot choose a place, and its marks can only lose what is its own', async (t) => {
  const bench = await Bench.start(t)
  const [organization, other] = [await bench.organization(), await bench.organization()]
  const session = randomUUID()
  const ask = (marks: ChainMark[]) =>
    bench.send({ ...mistaken(organization), receipts: { session: randomUUID(), marks } })
  const first = factsOf(receiptOf(await bench.send(mistaken(organization))))
  const { chainId } = first.chain
  const foreignChain = factsOf(receiptOf(await bench.send(mistaken(other)))).chain.chainId
  // Members that the signer does not know are not looked at.
  const chosen = { chainId: randomUUID(), startedAtMs: 0, sequence: 99, previous: '11'.repeat(32) }
  const pushy = { ...mistaken(organization), place: chosen, chain: chosen, componentDigest: '22'.repeat(32), nowMs: 0 }
  const second = factsOf(receiptOf(await bench.send(pushy)))
  t.deepEqual([second.chain.chainId, second.sequence], [chainId, 2])

  const lies = [
    { chainId, sequence: 1_000 },
    { chainId: randomUUID(), sequence: 2 },
    { chainId: foreignChain, sequence: 1 },
  ]
  const third = await ask(lies)
  t.deepEqual(
    third.backlog?.receipts.map((each) => factsOf(each).sequence),
    [1, 2],
    'nothing was forgotten',
  )
  t.is(third.backlog?.storedUpTo, 0)
  const foreignBacklog = (await bench.send(mistaken(other))).backlog
  t.is(foreignBacklog?.receipts.length, 1, 'nor of the other organization')

  const bad = [
    { session: 'x', marks: [] },
    { session, marks: [{ chainId: 'x', sequence: 1 }] },
    { session, marks: [{ chainId, sequence: 0 }] },
    { session, marks: [{ chainId, sequence: 1.5 }] },
    { session, marks: Array.from({ length: 513 }, () => ({ chainId, sequence: 1 })) },
    { session, marks: chainId },
    { marks: [] },
    'all stored',
  ]
  for (const receipts of bad) {
    const said = await bench.send({ ...mistaken(organization), receipts } as PerformCall)
    t.is(said.ok === false ? said.refusal.code : undefined, 'BODY_INVALID', JSON.stringify(receipts).slice(0, 80))
  }

  // Entries 1 to 3 were never stored, and the gateway says they were: they are lost, and the log shows it.
  const fourth = await ask([{ chainId, sequence: 3 }])
  t.deepEqual(fourth.backlog?.receipts, [])
  const { problems } = verifyLog(logFile([lineOf(receiptOf(fourth))]), bench.publicKey)
  t.is(problems.length, 1)
  t.regex(problems[0] as string, /Line 1: the first entry of its chain is missing/)
})

test('a lost answer leaves no gap: the next one brings its receipt along', async (t) => {
  const bench = await Bench.start(t)
  const organization = await bench.organization()
  const lines: LogLine[] = []
  const call = (session: string) => ({ ...creating(organization), receipts: { session, marks: [] } })
  const [dead, alive] = [randomUUID(), randomUUID()]
  for (let i = 0; i < 3; i++) await bench.send(call(dead))
  for (let i = 0; i < 3; i++) {
    const answer = await bench.send(call(alive))
    lines.push(...(answer.backlog?.receipts ?? []).map(lineOf), lineOf(receiptOf(answer)))
  }
  t.deepEqual(
    lines.map((line) => factsOf(line).sequence),
    [1, 2, 3, 4, 5, 6],
  )
  t.deepEqual(verifyLog(logFile(lines), bench.publicKey).problems, [])
})

test('a gateway that stores nothing is not served for ever, and is served again once it does', async (t) => {
  const bench = await Bench.start(t)
  const [organization, other] = [await bench.organization(), await bench.organization()]
  const session = randomUUID()
  const call = {
    ...mistaken(organization),
    receipts: { session, marks: [] as ChainMark[] },
  }
  let last = await bench.send(call)
  for (let i = 1; i < UNSTORED_MAX; i++) last = await bench.send(call)
  const { chain, sequence } = factsOf(receiptOf(last))
  t.is(sequence, UNSTORED_MAX)
  const full = await bench.send(call)
  t.is(full.ok, 'later')
  t.deepEqual(full.backlog?.receipts, [], 'this session has got them all')
  const fresh = await bench.send({ ...call, receipts: { session: randomUUID(), marks: [] } })
  t.is(fresh.ok, 'later')
  t.is(fresh.backlog?.receipts.length, UNSTORED_MAX, 'a gateway that was started anew can have them')
  t.deepEqual(verifyLog(logFile((fresh.backlog?.receipts ?? []).map(lineOf)), bench.publicKey).problems, [])
  t.is((await bench.send(mistaken(other))).ok, false, 'others are served')
  const marks = [{ chainId: chain.chainId, sequence: 1 }]
  const next = await bench.send({ ...call, receipts: { session, marks } })
  t.is(factsOf(receiptOf(next)).sequence, UNSTORED_MAX + 1)
})
