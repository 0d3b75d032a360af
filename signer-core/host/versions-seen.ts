import { isJsonObject } from '../protocol/strict-json.ts'
import type { GateRecordSeen } from './signer.d.ts'

/** What a record says of itself, untrusted until the gate has accepted it. */
export interface RecordHead {
  /** An empty string when it names none. */
  organizationId: string
  version: bigint
}

/**
 * The highest version of each organization's record that this process has seen the gate accept, and which record it
 * was. Only what a call brought counts: a version that was made for a call may lose against another. Not bounded: an
 * installation has few organizations.
 */
export class VersionsSeen {
  private readonly seen = new Map<string, GateRecordSeen>()

  /** The gate checks the record's seal; with a foreign id it merely misses here. */
  of({ organizationId }: RecordHead): GateRecordSeen | undefined {
    return this.seen.get(organizationId)
  }

  /** @param digest SHA-256 of a record that the gate has just accepted. */
  remember({ organizationId, version }: RecordHead, digest: Uint8Array): void {
    if (version > (this.seen.get(organizationId)?.version ?? 0n)) this.seen.set(organizationId, { version, digest })
  }
}

/** @param text Record of an organization, untrusted. */
export function recordHead(text: string): RecordHead {
  const none = { organizationId: '', version: 0n }
  try {
    const record: unknown = JSON.parse(text)
    if (!isJsonObject(record)) return none
    const { organizationId, version } = record
    return {
      organizationId: typeof organizationId === 'string' ? organizationId : '',
      version: Number.isSafeInteger(version) ? BigInt(version as number) : 0n,
    }
  } catch {
    return none
  }
}
