/**
 * Organization records. The gateway can alter none: the signer refuses a text that it did not notarize. Two changes at
 * once are two compare-and-sets on one document, and whoever wins has fixed what his activity came to.
 */
import type { Notarized } from '../../signer-core/protocol/messages.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { organizationsSpec, type FixedOutcome, type OrganizationDocument } from '../documents.ts'
import type { Collection, Store } from '../store/store.ts'
import { change, insertOnce } from '../store/writes.ts'

const RECORDS_KEPT_MAX = 1_000

export class Organizations {
  private readonly collection: Collection<OrganizationDocument>
  /** Parsed records by id, latest used last: a record may have a megabyte, and every request asks for one. */
  private readonly records = new Map<string, { seal: string; record: OrganizationRecord }>()

  constructor(store: Store) {
    this.collection = store.collection(organizationsSpec)
  }

  async get(organizationId: string): Promise<OrganizationRecord | undefined> {
    const stored = await this.document(organizationId)
    return stored && this.recordOf(stored)
  }

  document(organizationId: string): Promise<OrganizationDocument | undefined> {
    return this.collection.get(organizationId)
  }

  /** @throws {Error} when it is not there: activities are accepted only of organizations that are. */
  async documentOf(organizationId: string): Promise<OrganizationDocument> {
    const stored = await this.document(organizationId)
    if (stored === undefined) throw new Error('activity of an organization that is not there')
    return stored
  }

  /** Stores a founded organization. @throws {DuplicateKeyError} when the id is taken. */
  async insert(organizationId: string, { text, seal }: Notarized, nowMs: number): Promise<void> {
    await this.collection.insert({ _id: organizationId, v: 0, text, seal, updatedAtMs: nowMs })
  }

  /** Stores an organization that an activity has made. Repeating it changes nothing. */
  async insertMade({ text, seal }: Notarized, activityId: string, nowMs: number): Promise<void> {
    const { organizationId: _id } = JSON.parse(text) as OrganizationRecord
    await insertOnce(this.collection, { _id, v: 0, text, seal, madeBy: activityId, updatedAtMs: nowMs })
  }

  /**
   * Puts the next version in the place of the one that it was made from, together with what its activity came to.
   * @returns false when another version has come in between: then nothing has happened.
   */
  advance(
    from: OrganizationDocument,
    { text, seal }: Notarized,
    activityId: string,
    made: FixedOutcome,
    nowMs: number,
  ): Promise<boolean> {
    return this.collection.compareAndSet(from, { ...from, text, seal, madeBy: activityId, made, updatedAtMs: nowMs })
  }

  /** Sealed keys must not stay here when the key itself is deleted. Repeating it changes nothing. */
  async forgetMade(organizationId: string, activityId: string): Promise<void> {
    if ((await this.document(organizationId))?.madeBy !== activityId) return
    await change(this.collection, organizationId, ({ made, ...rest }) =>
      made === undefined || rest.madeBy !== activityId ? undefined : rest,
    )
  }

  private recordOf({ _id, text, seal }: OrganizationDocument): OrganizationRecord {
    const kept = this.records.get(_id)
    const record = kept?.seal === seal ? kept.record : (JSON.parse(text) as OrganizationRecord)
    this.records.delete(_id)
    this.records.set(_id, { seal, record })
    if (this.records.size > RECORDS_KEPT_MAX) this.records.delete(this.records.keys().next().value as string)
    return record
  }
}
