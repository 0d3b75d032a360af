/** A gateway that was taken over: it keeps every record that it ever saw, and calls the signer as it likes. */
import { createHash, randomUUID } from 'node:crypto'
import type { Answer, Notarized, Outcome, PerformCall, SealedKey, Vote } from '../../signer-core/protocol/messages.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import type { StampScheme } from '../../signer-core/protocol/stamp.ts'
import { newStampingKey, stampBy, type StampingKey } from './api-keys.ts'
import type { FrameClient, Launcher } from './launcher.ts'
import { resultOf } from './organization-requests.ts'

/** A body as it was stamped, back from a call. */
export function bodyOf({ body }: { body: string }): string {
  return Buffer.from(body, 'base64').toString()
}

export interface Member {
  userId: string
  key: StampingKey
}

export type Call = Omit<PerformCall, 'stamp'> & { stamp: unknown } & Record<string, unknown>

/** One organization as this gateway knows it. */
export class TakenGateway {
  readonly root: StampingKey
  /** All versions, the present one last. */
  readonly versions: Notarized[]
  private readonly client: FrameClient

  private constructor(client: FrameClient, root: StampingKey, first: Notarized) {
    this.client = client
    this.root = root
    this.versions = [first]
  }

  static async found(launcher: Launcher): Promise<TakenGateway> {
    const root = newStampingKey()
    const userId = randomUUID()
    const apiKeys = [
      { apiKeyId: randomUUID(), apiKeyName: 'root', curveType: root.curveType, publicKey: root.publicKey },
    ]
    const founding = {
      organizationId: randomUUID(),
      organizationName: 'Test',
      users: [{ userId, userName: 'root', apiKeys }],
      rootQuorum: { threshold: 1, userIds: [userId] },
    }
    const operator = await launcher.connect('operator')
    const { value } = await operator.call({ foundOrganization: JSON.stringify(founding) }, 'operator')
    operator.close()
    const answer = value as Answer<Notarized>
    if (!answer.ok) throw new Error(answer.refusal.code)
    return TakenGateway.of(launcher, root, answer.value)
  }

  /** Of an organization that is there already, in this version. */
  static async of(launcher: Launcher, root: StampingKey, version: Notarized): Promise<TakenGateway> {
    return new TakenGateway(await launcher.connect(), root, version)
  }

  close(): void {
    this.client.close()
  }

  get present(): Notarized {
    return this.versions.at(-1) as Notarized
  }

  get record(): OrganizationRecord {
    return JSON.parse(this.present.text) as OrganizationRecord
  }

  body(type: string, parameters: object, timestampMs = Date.now()): string {
    const { organizationId } = this.record
    return JSON.stringify({
      type: `ACTIVITY_TYPE_${type}`,
      timestampMs: String(timestampMs),
      organizationId,
      parameters,
    })
  }

  /** As an honest gateway makes it. */
  call(body: string, by: StampingKey, keys: SealedKey[] = [], scheme?: StampScheme): Call {
    return { ...this.stamped(body, by, scheme), organization: this.present, keys }
  }

  stamped(body: string, by: StampingKey, scheme?: StampScheme): Vote {
    return { activityId: randomUUID(), body: Buffer.from(body).toString('base64'), stamp: stampBy(by, body, scheme) }
  }

  // oxlint-disable-next-line no-explicit-any -- an outcome or what a forgery brings
  async send(call: object): Promise<any> {
    const { kind, value } = await this.client.call(call)
    if (kind !== 'answer') throw new Error(`no answer but ${kind}: a host was lost`)
    return value
  }

  async perform(call: Call): Promise<Outcome> {
    const answer = (await this.send(call)) as Answer<Outcome>
    if (!answer.ok) throw new Error(`refused: ${answer.refusal.code} ${answer.refusal.message}`)
    return answer.value
  }

  /** Carries out a change and keeps the version that it makes. */
  async change(type: string, parameters: object, by = this.root, keys: SealedKey[] = []) {
    const outcome = await this.perform(this.call(this.body(type, parameters), by, keys))
    if (outcome.organization !== undefined) this.versions.push(outcome.organization)
    return { outcome, result: resultOf(outcome) }
  }

  async join(userName: string, key = newStampingKey(), expirationSeconds?: string): Promise<Member> {
    const apiKey = { apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curveType, expirationSeconds }
    const users = [{ userName, apiKeys: [apiKey], authenticators: [], oauthProviders: [], userTags: [] }]
    const { result } = await this.change('CREATE_USERS_V4', { users })
    return { userId: result.userIds[0], key }
  }

  async policy(effect: 'ALLOW' | 'DENY', texts: { condition?: string; consensus?: string }): Promise<string> {
    const { result } = await this.change('CREATE_POLICY_V3', {
      policyName: 'p',
      effect: `EFFECT_${effect}`,
      notes: '',
      ...texts,
    })
    return result.policyId
  }

  async newKey(): Promise<SealedKey> {
    const privateKeys = [{ privateKeyName: 'a', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] }]
    const { outcome } = await this.change('CREATE_PRIVATE_KEYS_V2', { privateKeys })
    return outcome.newKeys[0]?.key as SealedKey
  }

  /** The key of the only account of a new wallet. */
  async newAccount(): Promise<{ walletId: string; key: SealedKey }> {
    const account = { curve: 'CURVE_SECP256K1', pathFormat: 'PATH_FORMAT_BIP32', path: "m/44'/60'/0'/0/0" }
    const accounts = [{ ...account, addressFormat: 'ADDRESS_FORMAT_ETHEREUM' }]
    const { outcome } = await this.change('CREATE_WALLET', { walletName: 'w', accounts })
    return { walletId: outcome.newWallets[0]?.wallet.walletId as string, key: outcome.newKeys[0]?.key as SealedKey }
  }

  signing(key: SealedKey, payload = 'pay Alice 1'): string {
    const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
    return this.body(
      'SIGN_RAW_PAYLOAD_V2',
      { signWith: key.keyId, payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' },
      1,
    )
  }

  /** A vote on the activity with this body. */
  vote(body: string, by: StampingKey, what: 'APPROVE' | 'REJECT' = 'APPROVE', timestampMs = Date.now()): Vote {
    const fingerprint = `sha256:${createHash('sha256').update(body).digest('hex')}`
    return this.stamped(this.body(`${what}_ACTIVITY`, { fingerprint }, timestampMs), by)
  }
}
