/**
 * Clients under whose requests something is broken, and what must hold afterwards: what was acknowledged is there, byte
 * for byte; what was not ends in exactly one activity when it is sent again; there is no key too many and none too few.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { verifyLog } from '../../cli/verify-log.ts'
import { postBytes, stampOf, type Client, type Credentials, type HttpAnswer } from './client.ts'
import { until } from './processes.ts'
import { exportedLines, factsOf, logFile } from './receipt-log.ts'
import { isSignatureOf } from './verify-signature.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
/** Clients that send at the same time. */
const CLIENTS = 6
export const CURVES = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const

/** Where the load goes, and as whom. */
export interface LoadTarget extends Credentials {
  baseUrl: string
  signerPublicKey: string
}

/** One body and what came of it. */
export interface Sent {
  path: string
  body: string
  payload: string | undefined
  /** The last answer with an activity in it. */
  acknowledged: HttpAnswer | undefined
}

/** Clients that create and sign without a pause, each body only once, until they are stopped. */
export class Load {
  readonly sent: Sent[] = []
  /** Answers that are neither an activity nor "try again". */
  readonly unexpected: string[] = []
  readonly credentials: LoadTarget
  private readonly signWith: string
  private readonly clientCount: number
  private running = false
  private clients: Promise<void>[] = []
  private count = 0

  /** At work from now on. */
  constructor(credentials: LoadTarget, signWith: string, clientCount = CLIENTS) {
    this.credentials = credentials
    this.signWith = signWith
    this.clientCount = clientCount
    this.start()
  }

  start(): void {
    this.running = true
    this.clients = Array.from({ length: this.clientCount }, () => this.work())
  }

  get signerPublicKey(): string {
    return this.credentials.signerPublicKey
  }

  get acknowledged(): number {
    return this.sent.filter((each) => each.acknowledged !== undefined).length
  }

  /** Until so many more were acknowledged. */
  untilAtWork(more: number): Promise<void> {
    const before = this.acknowledged
    return until('load', () => this.acknowledged > before + more)
  }

  async stop(): Promise<void> {
    this.running = false
    await Promise.all(this.clients)
  }

  /** Posts the body once. @returns the answer when there was one with an activity. */
  async post(sent: Sent): Promise<HttpAnswer | undefined> {
    const { baseUrl } = this.credentials
    const stamp = stampOf(this.credentials, sent.body)
    try {
      const answer = await postBytes(baseUrl, `/public/v1/submit/${sent.path}`, sent.body, { 'X-Stamp': stamp })
      if (answer.status !== 200 && answer.status !== 503) this.unexpected.push(answer.text)
      return answer.status === 200 ? answer : undefined
    } catch {
      return undefined
    }
  }

  /** Sends again until there is an activity that has ended. */
  async settle(sent: Sent): Promise<HttpAnswer> {
    let answer: HttpAnswer | undefined
    await until('an activity that has ended', async () => {
      answer = await this.post(sent)
      return answer !== undefined && answer.json.activity.status !== 'ACTIVITY_STATUS_PENDING'
    })
    return answer as HttpAnswer
  }

  private async work(): Promise<void> {
    while (this.running) {
      const next = this.next()
      this.sent.push(next)
      next.acknowledged = await this.post(next)
      // While nobody listens one failure says as much as a thousand.
      while (next.acknowledged === undefined && this.running && !(await isReady(this.credentials.baseUrl)))
        await sleep(20)
    }
  }

  private next(): Sent {
    const { organizationId } = this.credentials
    const number = this.count++
    const payload = `payload ${number}`
    const creates = number % 2 === 0
    const privateKeys = CURVES.slice(0, 1 + (number % 3)).map((curve) => ({
      privateKeyName: `key ${number}`,
      curve,
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_COMPRESSED'],
    }))
    const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
    const signing = { signWith: this.signWith, payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' }
    const [type, parameters] = creates ? [CREATE, { privateKeys }] : [SIGN, signing]
    const timestampMs = String(1_763_693_520_000 + number)
    const body = JSON.stringify({ type, timestampMs, organizationId, parameters })
    const path = creates ? 'create_private_keys' : 'sign_raw_payload'
    return { path, body, payload: creates ? undefined : payload, acknowledged: undefined }
  }
}

/** The log has no gap, and a receipt for what each activity was answered with. */
async function assertLogWhole(
  t: ExecutionContext,
  client: Client,
  publicKey: string,
  activityIds: Set<string>,
): Promise<void> {
  const lines = await exportedLines(client)
  const { problems, notes, head } = verifyLog(logFile(lines), publicKey)
  t.deepEqual(problems, [])
  t.log(`${lines.length} receipts in ${Object.keys(head.chains).length} chains, ${notes.length} decided again`)
  const receipted = new Set(
    lines
      .filter(({ text, result }) => factsOf({ text }).resultDigest === sha256(result))
      .map((line) => factsOf(line).activityId),
  )
  t.deepEqual(
    [...activityIds].filter((id) => !receipted.has(id)),
    [],
  )
}

function sha256(text = ''): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface Created {
  privateKeyId: string
}

/** Everything that must hold after whatever happened. @returns figures for the log. */
export async function assertNothingLost(
  t: ExecutionContext,
  client: Client,
  load: Load,
  keysBefore: string[],
): Promise<string> {
  const publicKey = await publicKeyOf(client, keysBefore[0] as string)
  const keyIds = [...keysBefore]
  const activityIds = new Set<string>()
  /** Sent, never answered, and yet there: the service had accepted them before it was killed. */
  let survived = 0
  const startedS = Math.floor(Date.now() / 1000)
  for (const sent of load.sent) {
    const { acknowledged, payload } = sent
    const known = acknowledged?.json.activity.id as string | undefined
    const ended = await load.settle(sent)
    const { activity } = ended.json
    t.is(activity.status, COMPLETED, ended.text)
    if (known !== undefined) t.is(activity.id, known)
    if (acknowledged?.json.activity.status === COMPLETED) t.is(ended.text, acknowledged.text)
    if (acknowledged === undefined && Number(activity.createdAt.seconds) < startedS) survived++
    t.is((await query(client, 'get_activity', { activityId: activity.id })).text, ended.text)
    t.is((await load.settle(sent)).text, ended.text)
    t.is(activity.fingerprint, `sha256:${createHash('sha256').update(sent.body).digest('hex')}`)
    activityIds.add(activity.id)
    if (payload === undefined) {
      keyIds.push(...activity.result.createPrivateKeysResultV2.privateKeys.map((each: Created) => each.privateKeyId))
    } else {
      const rsv = activity.result.signRawPayloadResult
      t.true(isSignatureOf('CURVE_SECP256K1', publicKey, rsv, Buffer.from(payload), 'sha256'))
    }
  }
  t.is(activityIds.size, load.sent.length, 'one activity for each body')
  t.is(new Set(keyIds).size, keyIds.length)
  await assertLogWhole(t, client, load.signerPublicKey, activityIds)
  const { privateKeys } = (await query(client, 'list_private_keys')).json
  const listed = privateKeys.map((each: Created) => each.privateKeyId)
  t.deepEqual(listed.toSorted(), keyIds.toSorted(), 'the keys that the activities have made, and no other')
  t.deepEqual(load.unexpected, [])
  const unacknowledged = load.sent.filter((each) => each.acknowledged === undefined).length
  return `${load.sent.length} bodies, ${unacknowledged} unacknowledged (${survived} of them had been accepted), ${keyIds.length} keys`
}

/** Asks again when told to: after an outage a connection may turn out to be dead when it is used. */
async function query(client: Client, name: string, parameters: object = {}): Promise<HttpAnswer> {
  let answer: HttpAnswer | undefined
  await until(`an answer to ${name}`, async () => {
    answer = await client.query(name, parameters)
    return answer.status !== 503
  })
  return answer as HttpAnswer
}

/** A key to sign with, at its end also where the answer came earlier than that. */
export async function keyFor(client: Client): Promise<string> {
  const privateKeys = [{ privateKeyName: 'load', curve: CURVES[0], privateKeyTags: [], addressFormats: [] }]
  let result: { createPrivateKeysResultV2: { privateKeys: Created[] } } | undefined
  await until('a key to sign with', async () => {
    ;({ result } = (await client.submit('create_private_keys', CREATE, { privateKeys }, '1763693519000')).json.activity)
    return result?.createPrivateKeysResultV2 !== undefined
  })
  return result?.createPrivateKeysResultV2.privateKeys[0]?.privateKeyId as string
}

/** How many of them have come to no end, as the store has it. */
export async function pendingCount(client: Client, sent: readonly Sent[]): Promise<number> {
  const ids = sent.map(({ acknowledged }) => acknowledged?.json.activity.id as string | undefined)
  const answers = await Promise.all(
    ids.filter((id) => id !== undefined).map((activityId) => client.query('get_activity', { activityId })),
  )
  return answers.filter(({ json }) => json.activity.status === 'ACTIVITY_STATUS_PENDING').length
}

export async function publicKeyOf(client: Client, privateKeyId: string): Promise<string> {
  return (await query(client, 'get_private_key', { privateKeyId })).json.privateKey.publicKey
}

export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`)).status === 200
  } catch {
    return false
  }
}
