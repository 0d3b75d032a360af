import type { SealedKey } from '../../signer-core/protocol/messages.ts'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { PrivateKeyFacts } from '../../signer-core/protocol/private-key.ts'
import { livingOf, madeBy, markDeleted, markExported } from '../activities/made.ts'
import { privateKeysSpec, type ActivityDocument, type PrivateKeyDocument } from '../documents.ts'
import type { KeyNames } from '../key-names/key-names.ts'
import type { Collection, Store } from '../store/store.ts'
import { findAll, insertOnce } from '../store/writes.ts'

/** Private keys at rest. */
export class PrivateKeys {
  private readonly keys: Collection<PrivateKeyDocument>
  private readonly names: KeyNames

  constructor(store: Store, names: KeyNames) {
    this.keys = store.collection(privateKeysSpec)
    this.names = names
  }

  /** Another organization's key is as good as none, and so is a deleted one. */
  async get(organizationId: string, privateKeyId: string): Promise<PrivateKeyDocument | undefined> {
    return UUID.test(privateKeyId) ? livingOf(await this.keys.get(privateKeyId), organizationId) : undefined
  }

  /** In order of creation. */
  list(organizationId: string): Promise<PrivateKeyDocument[]> {
    return findAll(this.keys, { where: { organizationId, state: 'living' }, sort: 'order' })
  }

  /** Writes a key that an activity created. Repeating it writes nothing twice. */
  async insert(activity: ActivityDocument, place: number, sealedKey: SealedKey, facts: PrivateKeyFacts): Promise<void> {
    const _id = sealedKey.keyId
    const key = { _id, v: 0, ...madeBy(activity, place), ...facts, sealedKey }
    await insertOnce(this.keys, key)
    await this.names.add(activity.organizationId, namesOf(key), _id)
  }

  markExported(privateKeyId: string, nowMs: number): Promise<void> {
    return markExported(this.keys, privateKeyId, nowMs)
  }

  async delete(privateKeyId: string, nowMs: number): Promise<void> {
    const key = await this.keys.get(privateKeyId)
    if (key === undefined) throw new Error('a key to delete is not there')
    await markDeleted(this.keys, privateKeyId, emptied, nowMs)
    await this.names.remove(key.organizationId, namesOf(key), privateKeyId)
  }
}

function emptied(key: PrivateKeyDocument): PrivateKeyDocument {
  return { ...key, sealedKey: { ...key.sealedKey, sealed: '' } }
}

function namesOf({ sealedKey, publicKey, addresses }: PrivateKeyDocument): string[] {
  return [sealedKey.publicKey, publicKey, ...addresses.map((each) => each.address)]
}
