/** Stamps on a plug-in's routes: over the canonical JSON of the body (RFC 8785), checked against the same API keys. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { ApiError } from '../http/errors.ts'
import { readBody, type RequestBody } from '../http/middleware/body.ts'
import { findCaller } from '../http/middleware/stamp.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { PluginHost, StampedRequest } from '../plugin-api.ts'
import type { CheckTimestamp } from '../timestamp-window.ts'

export type StampedRequests = Pick<PluginHost, 'readStamped' | 'readStampedByOperator' | 'checkTimestamp'>

/** @param operatorId The operator's organization; without one nobody is the operator. */
export function stampedRequests(
  organizations: Organizations,
  operatorId: string | undefined,
  { checkTimestamp, nowMs }: { checkTimestamp: CheckTimestamp; nowMs: () => number },
): StampedRequests {
  const find = findCaller(organizations, nowMs)
  return {
    async readStamped(context) {
      const body = await readBody(context)
      const canonical = canonicalOf(body)
      const { organization, home } = await find(body.json['organizationId'], context.get('X-Stamp'), canonical)
      const { organizationId } = organization
      return present(body, canonical, organizationId, home.organizationId !== organizationId)
    },

    async readStampedByOperator(context) {
      const body = await readBody(context)
      const canonical = canonicalOf(body)
      if (operatorId === undefined) throw new ApiError('REQUEST_NOT_AUTHORIZED')
      const { organization, user } = await find(operatorId, context.get('X-Stamp'), canonical)
      // The service key signs for everybody who pays nothing; it must not be able to fill tanks.
      if (!organization.rootQuorum.userIds.includes(user.userId)) throw new ApiError('REQUEST_NOT_AUTHORIZED')
      const { organizationId } = body.json
      const named = typeof organizationId === 'string' ? await organizations.get(organizationId) : undefined
      if (named === undefined) throw new ApiError('ORGANIZATION_NOT_FOUND')
      return present(body, canonical, named.organizationId, false)
    },

    checkTimestamp,
  }
}

function canonicalOf({ json }: RequestBody): Buffer {
  return Buffer.from(canonicalize(json) as string)
}

function present({ json }: RequestBody, canonical: Buffer, organizationId: string, readsOnly: boolean): StampedRequest {
  return { json, digest: createHash('sha256').update(canonical).digest('hex'), organizationId, readsOnly }
}
