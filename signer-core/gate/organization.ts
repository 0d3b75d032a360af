/** Reads the notarized organization record: nothing in it counts before the engine has vouched for the whole text. */
import { isNotarized, notarize } from 'keystead:engine/engine@0.1.0'
import { equalBytes, utf8ToBytes } from '../protocol/bytes.ts'
import { ORGANIZATION_RECORD_BYTES_MAX } from '../protocol/limits.ts'
import { organizationRecordSchema, type OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse } from '../protocol/schema.ts'
import { BoundedCache } from './bounded-cache.ts'
import { expressionsLength } from './next-record.ts'
import type { Brought, Notarized } from './wit-types.ts'

/**
 * About as many bytes as records may take that were vouched for lately, with their policies compiled. The largest takes
 * 10 MiB; the component has 32, and about 5 of them are its own code.
 */
const VOUCHED_BYTES_MAX = 12_582_912
/** The text and what it is parsed to. */
const BYTES_PER_CHARACTER = 4
const BYTES_PER_POLICY_CHARACTER = 130

/** The same text under the same seal needs no second look. */
const vouched = new BoundedCache<{ seal: Uint8Array; record: OrganizationRecord }>(VOUCHED_BYTES_MAX)

/** @throws {RefusalError} `ORGANIZATION_RECORD_REFUSED`, `ORGANIZATION_RECORD_OUTDATED`, `ORGANIZATION_FORKED`. */
export function readOrganization({ organization, organizationDigest, organizationSeen }: Brought): OrganizationRecord {
  const record = vouchedRecord(organization) ?? vouch(organization)
  const seenVersion = Number(organizationSeen?.version ?? 0)
  if (record.version < seenVersion) {
    throw new RefusalError('ORGANIZATION_RECORD_OUTDATED', 'an older organization record than the signer has seen')
  }
  if (record.version === seenVersion && !equalBytes(organizationDigest, organizationSeen?.digest as Uint8Array)) {
    throw new RefusalError('ORGANIZATION_FORKED', 'another record of this version than the signer has seen')
  }
  return record
}

/** Once the caller is known, so that there is a receipt and the host remembers the version. */
export function refuseDeleted({ deletedAtMs }: OrganizationRecord): void {
  if (deletedAtMs !== undefined) throw new RefusalError('ORGANIZATION_DELETED', 'the organization is deleted')
}

function vouchedRecord({ text, seal }: Notarized): OrganizationRecord | undefined {
  const known = vouched.get(text)
  return known !== undefined && equalBytes(known.seal, seal) ? known.record : undefined
}

function vouch(notarized: Notarized): OrganizationRecord {
  const refused = () => new RefusalError('ORGANIZATION_RECORD_REFUSED', 'the organization record is not the signer’s')
  if (notarized.text.length > ORGANIZATION_RECORD_BYTES_MAX || !notarized.text.isWellFormed()) throw refused()
  if (!isNotarized('organization', utf8ToBytes(notarized.text), notarized.seal)) throw refused()
  const parsed = parse(organizationRecordSchema, JSON.parse(notarized.text))
  if (!parsed.ok) throw refused()
  const { text, seal } = notarized
  const bytes =
    text.length * BYTES_PER_CHARACTER + expressionsLength(parsed.value.policies) * BYTES_PER_POLICY_CHARACTER
  vouched.set(text, { seal, record: parsed.value }, bytes)
  return parsed.value
}

export function notarizeOrganization(record: OrganizationRecord): Notarized {
  const text = JSON.stringify(record)
  return { text, seal: notarize('organization', utf8ToBytes(text)) }
}
