import { lookupForm } from '../../signer-core/protocol/key-names.ts'
import { keyNamesSpec, type KeyNameDocument } from '../documents.ts'
import type { Collection, Store } from '../store/store.ts'
import { change, insertOnce } from '../store/writes.ts'

/** Addresses and public keys, each leading to the keys that have it. */
export class KeyNames {
  private readonly names: Collection<KeyNameDocument>

  constructor(store: Store) {
    this.names = store.collection(keyNamesSpec)
  }

  /** Ids of private keys and wallet accounts, oldest first. Only a hint: some may be deleted by now. */
  async keyIds(organizationId: string, name: string): Promise<string[]> {
    return (await this.names.get(idOf(organizationId, name)))?.keyIds ?? []
  }

  /** Lets names of any spelling lead to a key, too. Repeating it changes nothing. */
  async add(organizationId: string, names: string[], keyId: string): Promise<void> {
    const ids = new Set(names.map((name) => idOf(organizationId, name)))
    await Promise.all([...ids].map((id) => this.addTo(id, keyId)))
  }

  /** Repeating it changes nothing, and so does a name that leads nowhere yet. */
  async remove(organizationId: string, names: string[], keyId: string): Promise<void> {
    const ids = new Set(names.map((name) => idOf(organizationId, name)))
    await Promise.all([...ids].map((id) => this.removeFrom(id, keyId)))
  }

  private async removeFrom(id: string, keyId: string): Promise<void> {
    if ((await this.names.get(id)) === undefined) return
    await change(this.names, id, (stored) =>
      stored.keyIds.includes(keyId) ? { ...stored, keyIds: stored.keyIds.filter((each) => each !== keyId) } : undefined,
    )
  }

  private async addTo(id: string, keyId: string): Promise<void> {
    if (await insertOnce(this.names, { _id: id, v: 0, keyIds: [keyId] })) return
    await change(this.names, id, (stored) =>
      stored.keyIds.includes(keyId) ? undefined : { ...stored, keyIds: [...stored.keyIds, keyId] },
    )
  }
}

/** One document for all spellings of a name. */
function idOf(organizationId: string, name: string): string {
  return `${organizationId}/${lookupForm(name)}`
}
