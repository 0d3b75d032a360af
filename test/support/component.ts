/** The built component in this process, with test data around it. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseEngine } from '../../signer-core/launcher/engine.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { readSettings } from '../../signer-core/launcher/settings.ts'
import type {
  GateImportTarget,
  GateKeyRecord,
  GateNotarized,
  GateOutcome,
  GateRequest,
  GateSimulationRequest,
} from '../../signer-core/host/signer.d.ts'

/** The signer that a launcher with this environment would start. */
const { name: engineName, dist } = chooseEngine(
  readSettings(process.env).engine,
  join(import.meta.dirname, '../../signer-core/dist'),
)
export { engineName, dist as distPath }

export type { GateOutcome, GateRequest, GateSimulationRequest }
export type KeyRecord = GateKeyRecord
export type Notarized = GateNotarized
export type ImportTarget = GateImportTarget

export interface Component {
  gate: {
    perform: (request: GateRequest) => GateOutcome
    simulate: (request: GateSimulationRequest) => string
    foundOrganization: (founding: string, nowMs: bigint) => Notarized
    identity: () => Uint8Array
  }
  vault: { load(dataKey: Uint8Array): void; wipe(): void }
}

const modules = new Map<string, WebAssembly.Module>()
function coreModule(name: string): WebAssembly.Module {
  const known = modules.get(name) ?? new WebAssembly.Module(readFileSync(join(dist, name)))
  modules.set(name, known)
  return known
}

/** @param fill Entropy; the operating system's unless a test wants to watch it. */
export async function newComponent(
  fill = (length: number): Uint8Array => Uint8Array.from(randomBytes(length)),
): Promise<Component> {
  const { instantiate } = await import(join(dist, 'signer.js'))
  return instantiate(coreModule, { 'keystead:engine/entropy': { fill } }) as Component
}

/** The payload of a refusal, or what was thrown instead. */
export function refusalOf(work: () => unknown): { code: string; message: string; field: string } {
  try {
    work()
  } catch (error) {
    const payload = (error as { payload?: { code: string; message: string; field: string } }).payload
    if (payload !== undefined) return payload
    throw error
  }
  throw new Error('nothing was refused')
}

/** Of a receipt that begins a chain. */
export function firstPlace(): GateRequest['place'] {
  const zeros = new Uint8Array(32)
  const receiptKey = new Uint8Array(65)
  return { chainId: randomUUID(), startedAtMs: 1n, sequence: 1n, previous: zeros, componentDigest: zeros, receiptKey }
}

/** Of a receipt within a chain: the host signs it, not the component. */
export function laterPlace(): GateRequest['place'] {
  return { ...firstPlace(), sequence: 2n }
}

export const rootPublicKey = `02${'11'.repeat(32)}`

/** A loaded component with one organization; `sign` and `create` go through the whole gate. */
export class Bench {
  readonly component: Component
  /** The present version: `change` puts the next in its place. */
  organization: Notarized
  readonly organizationId: string

  private constructor(component: Component, organizationId: string) {
    this.component = component
    this.organizationId = organizationId
    this.organization = component.gate.foundOrganization(JSON.stringify(foundingOf(organizationId)), 1_700_000_000_000n)
  }

  /** @param fill As of `newComponent`. */
  static async open(
    dataKey: Uint8Array,
    organizationId: string = randomUUID(),
    fill?: (length: number) => Uint8Array,
  ): Promise<Bench> {
    const component = await newComponent(fill)
    component.vault.load(dataKey)
    return new Bench(component, organizationId)
  }

  request(type: string, parameters: object, keys: KeyRecord[] = [], overrides: Partial<GateRequest> = {}): GateRequest {
    const { organizationId, organization } = this
    const body = overrides.body ?? JSON.stringify({ type, timestampMs: '1700000000000', organizationId, parameters })
    return {
      activityId: randomUUID(),
      body,
      bodyDigest: createHash('sha256').update(body).digest(),
      stampScheme: 'SIGNATURE_SCHEME_TK_API_P256',
      stampPublicKey: rootPublicKey,
      nowMs: 1_700_000_000_000n,
      organization,
      organizationDigest: createHash('sha256').update(organization.text).digest(),
      organizationSeen: undefined,
      keys,
      wallets: [],
      exportedIds: [],
      importTarget: undefined,
      evaluation: undefined,
      votes: [],
      target: undefined,
      place: firstPlace(),
      ...overrides,
    }
  }

  get record(): OrganizationRecord {
    return JSON.parse(this.organization.text) as OrganizationRecord
  }

  /** Carries out what changes the organization, as its root user unless it says otherwise. */
  change(type: string, parameters: object, keys: KeyRecord[] = [], overrides: Partial<GateRequest> = {}): GateOutcome {
    const outcome = this.component.gate.perform(this.request(type, parameters, keys, overrides))
    if (outcome.organization === undefined) throw new Error(`${type} changed nothing: ${outcome.status}`)
    this.organization = outcome.organization
    return outcome
  }

  create(curve: string, addressFormats: string[] = []): GateOutcome['newKeys'][number] {
    const privateKeys = [{ privateKeyName: 'test', curve, privateKeyTags: [], addressFormats }]
    const outcome = this.component.gate.perform(this.request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys }))
    return outcome.newKeys[0] as GateOutcome['newKeys'][number]
  }

  signRequest(
    key: KeyRecord,
    payload: string,
    hashFunction: string,
    encoding = 'PAYLOAD_ENCODING_TEXT_UTF8',
    overrides: Partial<GateRequest> = {},
  ): GateRequest {
    const parameters = { signWith: key.keyId, payload, encoding, hashFunction }
    return this.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, [key], overrides)
  }

  sign(...parameters: Parameters<Bench['signRequest']>): { r: string; s: string; v: string } {
    const { result } = this.component.gate.perform(this.signRequest(...parameters))
    return (JSON.parse(result) as { signRawPayloadResult: { r: string; s: string; v: string } }).signRawPayloadResult
  }
}

export function foundingOf(organizationId: string): object {
  const userId = randomUUID()
  const apiKey = {
    apiKeyId: randomUUID(),
    apiKeyName: 'root',
    curveType: 'API_KEY_CURVE_P256',
    publicKey: rootPublicKey,
  }
  return {
    organizationId,
    organizationName: 'Test',
    users: [{ userId, userName: 'root', apiKeys: [apiKey] }],
    rootQuorum: { threshold: 1, userIds: [userId] },
  }
}
