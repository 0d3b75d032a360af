import type { Notarized } from '../../signer-core/protocol/messages.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { organizationsSpec, type OrganizationDocument } from '../documents.ts'
import type { Collection, Store } from '../store/store.ts'

/** Reads organization records. The gateway can alter none: the signer refuses a text that it did not notarize. */
export class Organizations {
  private readonly collection: Collection<OrganizationDocument>

  constructor(store: Store) {
    this.collection = store.collection(organizationsSpec)
  }

  async get(organizationId: string): Promise<OrganizationRecord | undefined> {
    const notarized = await this.notarized(organizationId)
    return notarized === undefined ? undefined : (JSON.parse(notarized.text) as OrganizationRecord)
  }

  async notarized(organizationId: string): Promise<Notarized | undefined> {
    const found = await this.collection.get(organizationId)
    return found === undefined ? undefined : { text: found.text, seal: found.seal }
  }

  /** Stores a founded organization. @throws {DuplicateKeyError} when the id is taken. */
  async insert(organizationId: string, { text, seal }: Notarized, nowMs: number): Promise<void> {
    await this.collection.insert({ _id: organizationId, v: 0, text, seal, updatedAtMs: nowMs })
  }
}
