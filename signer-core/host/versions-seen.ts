import { isJsonObject } from '../protocol/strict-json.ts'

/**
 * Highest version of each organization's record that this process has seen the gate accept. Not bounded: only
 * accepted records count, and an installation has few organizations.
 */
export class VersionsSeen {
  private readonly versions = new Map<string, bigint>()

  /** @param text Untrusted; the gate checks its seal, and with a foreign id it merely misses here. */
  of(text: string): bigint {
    return this.versions.get(organizationIdIn(text)) ?? 0n
  }

  /** @param text Record that the gate has just accepted. */
  remember(text: string, version: bigint): void {
    const id = organizationIdIn(text)
    if (version > (this.versions.get(id) ?? 0n)) this.versions.set(id, version)
  }
}

/** @param text Record of an organization, untrusted. @returns an empty string when it names none. */
export function organizationIdIn(text: string): string {
  try {
    const record: unknown = JSON.parse(text)
    return isJsonObject(record) && typeof record['organizationId'] === 'string' ? record['organizationId'] : ''
  } catch {
    return ''
  }
}
