/** What a request says, also a malformed one: every answer names version, payer and network as far as they can be read. */
import type { Context } from 'koa'
import { ApiError, body, discardRest, type BodyState } from '../../gateway/plugin-api.ts'
import type { PaymentRequest } from './payment.ts'
import type { Scheme } from './schemes/scheme.ts'
import type { NetworkNames } from './wire/network-names.ts'
import { readRequest, remainsOf, versionOf } from './wire/read-request.ts'

export interface Asked {
  readonly version: 1 | 2
  readonly networkName: string
  /** As it was written; empty when there is none. */
  readonly payer: string
  /** Undefined: malformed. */
  readonly request: PaymentRequest | undefined
  /** HTTP status for a body that is refused before it is read: too large, cut off, encoded. */
  readonly unreadStatus: number | undefined
}

export async function readAsked(context: Context, schemes: readonly Scheme[], names: NetworkNames): Promise<Asked> {
  const { json, unreadStatus } = await readJson(context)
  const { payload, networkName } = remainsOf(json)
  const payer = schemes.map((scheme) => scheme.payerOf(payload)).find((found) => found !== '') ?? ''
  return { version: versionOf(json), networkName, payer, request: readRequest(json, names), unreadStatus }
}

/** @returns `json` undefined for what is no JSON object. */
async function readJson(context: Context): Promise<{ json: unknown; unreadStatus: number | undefined }> {
  try {
    await body(context, () => Promise.resolve())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'BODY_TOO_LARGE') discardRest(context)
    return { json: undefined, unreadStatus: error.code === 'BODY_INVALID' ? undefined : error.status }
  }
  return { json: (context.state as BodyState).body.json, unreadStatus: undefined }
}
