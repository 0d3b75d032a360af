import type { Middleware } from 'koa'
import {
  findCredential,
  isExpired,
  UUID,
  type Credential,
  type OrganizationRecord,
  type User,
} from '../../../signer-core/protocol/organization-record.ts'
import { parseStampHeader, type Stamp } from '../../../signer-core/protocol/stamp.ts'
import type { Organizations } from '../../organizations/organizations.ts'
import { isStampValid } from '../../stamp-check.ts'
import { ApiError } from '../errors.ts'
import type { BodyState } from './body.ts'

/** Who asks, as far as the gateway can tell. The signer decides anew. */
export interface Caller {
  /** That the body names. */
  organization: OrganizationRecord
  /** Of the user: the same, or its parent. Whoever belongs to the parent may read and nothing else. */
  home: OrganizationRecord
  user: User
  stamp: Stamp
}

export interface StampState extends BodyState {
  caller: Caller
}

export type FindCaller = (organizationId: unknown, header: string, signed: Uint8Array) => Promise<Caller>

export function stamp(organizations: Organizations, nowMs: () => number): Middleware<StampState> {
  const find = findCaller(organizations, nowMs)
  return async (context, next) => {
    const { bytes, json } = context.state.body
    context.state.caller = await find(json['organizationId'], context.get('X-Stamp'), bytes)
    await next()
  }
}

/** In the order that clients can tell apart: organization named, stamp there, well-formed, valid, known, not expired. */
export function findCaller(organizations: Organizations, nowMs: () => number): FindCaller {
  return async (organizationId, header, signed) => {
    if (typeof organizationId !== 'string' || !UUID.test(organizationId)) throw new ApiError('INVALID_ORGANIZATION_ID')
    const presented = readStamp(header)
    if (!(await isStampValid(presented, signed))) throw new ApiError('SIGNATURE_INVALID')
    const organization = await organizations.get(organizationId)
    if (organization === undefined) throw new ApiError('ORGANIZATION_NOT_FOUND')
    const { home, user, apiKey } = findIn([organization, await parentOf(organization)], presented)
    if (isExpired(apiKey, nowMs())) throw new ApiError('API_KEY_EXPIRED')
    return { organization, home, user, stamp: presented }
  }

  async function parentOf({ parentOrganizationId }: OrganizationRecord): Promise<OrganizationRecord | undefined> {
    return parentOrganizationId === undefined ? undefined : organizations.get(parentOrganizationId)
  }
}

/** @throws {ApiError} `PUBLIC_KEY_NOT_FOUND`. */
function findIn(
  organizations: readonly (OrganizationRecord | undefined)[],
  presented: Stamp,
): Credential & { home: OrganizationRecord } {
  for (const home of organizations) {
    const credential = home && findCredential(home, presented)
    if (home !== undefined && credential !== undefined) return { ...credential, home }
  }
  throw new ApiError('PUBLIC_KEY_NOT_FOUND')
}

function readStamp(header: string): Stamp {
  if (header === '') throw new ApiError('SIGNATURE_MISSING')
  const read = parseStampHeader(header, decodeBase64Url)
  if (read === undefined) throw new ApiError('STAMP_MALFORMED')
  return read
}

function decodeBase64Url(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(text)) return undefined
  return Buffer.from(text, 'base64url').toString('latin1')
}
