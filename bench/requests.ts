/** Requests of every kind that the load generator sends, stamped before they are needed. */
import { randomBytes, randomUUID, sign, type KeyObject } from 'node:crypto'
import { apiKeyOf, type Credentials } from '../test/support/client.ts'

export interface PreparedRequest {
  body: Buffer
  stamp: string
}

export interface Recipe {
  kind: 'sign' | 'create' | 'whoami'
  /** For `sign`. */
  privateKeyId?: string
  /** That many requests in turn; without it each is sent once. */
  distinct?: number
}

export const paths: Record<Recipe['kind'], string> = {
  sign: '/public/v1/submit/sign_raw_payload',
  create: '/public/v1/submit/create_private_keys',
  whoami: '/public/v1/query/whoami',
}

/** Makes requests in advance and hands them out; what was not foreseen is made on the spot and counted. */
export class RequestSupply {
  private readonly credentials: Credentials
  private readonly recipe: Recipe
  private readonly key: KeyObject
  private readonly prepared: PreparedRequest[] = []
  private turn = 0
  /** Requests that had to be stamped while the clock ran. */
  late = 0

  constructor(credentials: Credentials, recipe: Recipe) {
    this.credentials = credentials
    this.recipe = recipe
    this.key = apiKeyOf(credentials)
  }

  prepare(count: number): void {
    const enough = this.recipe.distinct ?? count
    while (this.prepared.length < enough) this.prepared.push(this.make())
  }

  next(): PreparedRequest {
    if (this.recipe.distinct !== undefined) {
      return this.prepared[this.turn++ % this.prepared.length] as PreparedRequest
    }
    const ready = this.prepared.pop()
    if (ready !== undefined) return ready
    this.late++
    return this.make()
  }

  private make(): PreparedRequest {
    const { organizationId, apiPublicKey: publicKey } = this.credentials
    const body = Buffer.from(JSON.stringify({ ...activityOf(this.recipe), organizationId }))
    const signature = sign('sha256', body, this.key).toString('hex')
    const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
    return { body, stamp: Buffer.from(JSON.stringify(stamp)).toString('base64url') }
  }
}

function activityOf({ kind, privateKeyId }: Recipe): object {
  const timestampMs = String(Date.now())
  if (kind === 'sign')
    return { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', timestampMs, parameters: signing(privateKeyId) }
  if (kind === 'create') return { type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', timestampMs, parameters: creation() }
  return {}
}

/** A digest signed as it is, the usual case; random, because an equal body would be the same activity. */
export function signing(signWith: string | undefined, payload = randomBytes(32).toString('hex')): object {
  return { signWith, payload, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NO_OP' }
}

export function creation(): object {
  const key = { privateKeyName: randomUUID(), curve: 'CURVE_SECP256K1', privateKeyTags: [] }
  return { privateKeys: [{ ...key, addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] }] }
}
