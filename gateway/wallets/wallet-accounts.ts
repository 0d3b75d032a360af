import type { SealedKey } from '../../signer-core/protocol/messages.ts'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { WalletAccountFacts } from '../../signer-core/protocol/wallet.ts'
import { livingOf, madeBy, markDeleted, markExported } from '../activities/made.ts'
import { walletAccountsSpec, type ActivityDocument, type WalletAccountDocument } from '../documents.ts'
import type { KeyNames } from '../key-names/key-names.ts'
import { encodeCursor } from '../store/find-cursor.ts'
import type { Collection, Store } from '../store/store.ts'
import { findAll, insertOnce } from '../store/writes.ts'

/** Part of a list. */
export interface Slice {
  limit: number
  /** The account next to which the part lies; absent: the part at the beginning. */
  beside?: WalletAccountDocument
  backwards: boolean
}

/** Accounts of wallets, each with a key of its own at rest. */
export class WalletAccounts {
  private readonly accounts: Collection<WalletAccountDocument>
  private readonly names: KeyNames

  constructor(store: Store, names: KeyNames) {
    this.accounts = store.collection(walletAccountsSpec)
    this.names = names
  }

  /** Another organization's account is as good as none, and so is a deleted one. */
  async get(organizationId: string, walletAccountId: string): Promise<WalletAccountDocument | undefined> {
    return UUID.test(walletAccountId) ? livingOf(await this.accounts.get(walletAccountId), organizationId) : undefined
  }

  /** Also a deleted one: the place of a cursor stays while pages are read. */
  async placeOf(organizationId: string, walletAccountId: string): Promise<WalletAccountDocument | undefined> {
    const stored = await this.accounts.get(walletAccountId)
    return stored?.organizationId === organizationId ? stored : undefined
  }

  async atPath(walletId: string, path: string): Promise<WalletAccountDocument | undefined> {
    const where = { walletId, state: 'living', path } as const
    return (await this.accounts.find({ where, sort: 'order', limit: 1 })).items[0]
  }

  /** Those that have the address or public key, in any spelling. */
  async named(organizationId: string, name: string): Promise<WalletAccountDocument[]> {
    const keyIds = await this.names.keyIds(organizationId, name)
    const found = await Promise.all(keyIds.map((keyId) => this.get(organizationId, keyId)))
    return found.filter((each) => each !== undefined)
  }

  /** In order of creation, of an organization or of one wallet. */
  async list(of: { organizationId: string } | { walletId: string }, slice: Slice): Promise<WalletAccountDocument[]> {
    const { limit, beside, backwards: descending } = slice
    const query = { where: { ...of, state: 'living' }, sort: 'order', descending, limit } as const
    const place = beside && { sortValue: beside.order, id: beside._id }
    const page = await this.accounts.find(
      place === undefined ? query : { ...query, after: encodeCursor('order', descending, place) },
    )
    return descending ? page.items.toReversed() : page.items
  }

  /** Writes an account that an activity created. Repeating it writes nothing twice. */
  async insert(activity: ActivityDocument, place: number, sealedKey: SealedKey, facts: WalletAccountFacts) {
    const _id = sealedKey.keyId
    const account = { _id, v: 0, ...madeBy(activity, place), ...facts, sealedKey }
    await insertOnce(this.accounts, account)
    await this.names.add(activity.organizationId, namesOf(account), _id)
  }

  markExported(walletAccountId: string, nowMs: number): Promise<void> {
    return markExported(this.accounts, walletAccountId, nowMs)
  }

  async delete(walletAccountId: string, nowMs: number): Promise<void> {
    const account = await this.accounts.get(walletAccountId)
    if (account === undefined) throw new Error('an account to delete is not there')
    await markDeleted(this.accounts, walletAccountId, emptied, nowMs)
    await this.names.remove(account.organizationId, namesOf(account), walletAccountId)
  }

  async deleteAllOf(of: { organizationId: string } | { walletId: string }, nowMs: number): Promise<void> {
    const accounts = await findAll(this.accounts, { where: { ...of, state: 'living' }, sort: 'order' })
    for (const { _id } of accounts) await this.delete(_id, nowMs)
  }
}

function emptied(account: WalletAccountDocument): WalletAccountDocument {
  return { ...account, sealedKey: { ...account.sealedKey, sealed: '' } }
}

function namesOf({ sealedKey, publicKey, address }: WalletAccountDocument): string[] {
  return [sealedKey.publicKey, publicKey, address]
}
