import { lookupForm } from '../../signer-core/protocol/key-names.ts'
import type { NewKey, SealedKey } from '../../signer-core/protocol/messages.ts'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { PrivateKeyFacts } from '../../signer-core/protocol/private-key.ts'
import { keyNamesSpec, privateKeysSpec, type KeyNameDocument, type PrivateKeyDocument } from '../documents.ts'
import { DuplicateKeyError } from '../store/store-errors.ts'
import { FIND_LIMIT_MAX, type Collection, type Store, type StoredDocument } from '../store/store.ts'

/** One document for all spellings of a name. */
function lookupName(organizationId: string, name: string): string {
  return `${organizationId}/${lookupForm(name)}`
}

/** Keys at rest and the names that lead to them. */
export class PrivateKeys {
  private readonly keys: Collection<PrivateKeyDocument>
  private readonly names: Collection<KeyNameDocument>

  constructor(store: Store) {
    this.keys = store.collection(privateKeysSpec)
    this.names = store.collection(keyNamesSpec)
  }

  /** Another organization's key is as good as none. */
  async get(organizationId: string, privateKeyId: string): Promise<PrivateKeyDocument | undefined> {
    if (!UUID.test(privateKeyId)) return undefined
    const key = await this.keys.get(privateKeyId)
    return key?.organizationId === organizationId ? key : undefined
  }

  async list(organizationId: string): Promise<PrivateKeyDocument[]> {
    const all: PrivateKeyDocument[] = []
    let after: string | undefined
    do {
      const query = { where: { organizationId }, sort: 'createdAtMs', limit: FIND_LIMIT_MAX } as const
      const page = await this.keys.find(after === undefined ? query : { ...query, after })
      all.push(...page.items)
      after = page.next
    } while (after !== undefined)
    return all
  }

  /** The sealed keys behind key ids or addresses; unknown names are left out, the signer says what is missing. */
  async sealed(organizationId: string, names: string[]): Promise<SealedKey[]> {
    const found = await Promise.all(names.map((name) => this.named(organizationId, name)))
    return found.flatMap((key) => (key === undefined ? [] : [key.sealedKey]))
  }

  private async named(organizationId: string, name: string): Promise<PrivateKeyDocument | undefined> {
    const byId = await this.get(organizationId, name)
    if (byId !== undefined) return byId
    const found = await this.names.get(lookupName(organizationId, name))
    return found === undefined ? undefined : this.get(organizationId, found.keyId)
  }

  /** Says of keys that they left, sealed to somebody. Repeating it changes nothing. */
  async markExported(organizationId: string, privateKeyIds: string[], nowMs: number): Promise<void> {
    for (const privateKeyId of privateKeyIds) {
      for (let marked = false; !marked;) {
        const key = await this.get(organizationId, privateKeyId)
        if (key === undefined) throw new Error('an exported key is not there')
        marked = key.exported || (await this.keys.compareAndSet(key, { ...key, exported: true, updatedAtMs: nowMs }))
      }
    }
  }

  /** Writes what an activity created. Repeating it writes nothing twice. */
  async insertAll(organizationId: string, activityId: string, newKeys: NewKey[], nowMs: number): Promise<void> {
    const writes = newKeys.flatMap(({ key, facts }) => {
      const known = JSON.parse(facts) as PrivateKeyFacts
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs }
      const owner = { organizationId, activityId, sealedKey: key, exported: false }
      const names = new Set([key.publicKey, known.publicKey, ...known.addresses.map((each) => each.address)])
      return [
        insertOnce(this.keys, { _id: key.keyId, v: 0, ...owner, ...known, ...times }),
        ...[...new Set([...names].map((name) => lookupName(organizationId, name)))].map((_id) =>
          insertOnce(this.names, { _id, v: 0, keyId: key.keyId }),
        ),
      ]
    })
    await Promise.all(writes)
  }
}

async function insertOnce<T extends StoredDocument>(collection: Collection<T>, document: T): Promise<void> {
  try {
    await collection.insert(document)
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error
  }
}
