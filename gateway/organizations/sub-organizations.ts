/**
 * Which sub-organizations of a parent have a name, a user, an API key or an address. Hints, written before the record that they
 * are about counts: whoever follows one looks whether the record still has it.
 */
import { createHash } from 'node:crypto'
import { lookupForm } from '../../signer-core/protocol/key-names.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { subOrganizationNamesSpec, type SubOrganizationNameDocument } from '../documents.ts'
import { idCursor } from '../store/find-cursor.ts'
import type { Collection, Store } from '../store/store.ts'
import { insertOnce } from '../store/writes.ts'
import type { WalletAccounts } from '../wallets/wallet-accounts.ts'
import type { Organizations } from './organizations.ts'

/** What can be asked for, and the values that a record has. `ALL`: without a filter. */
const named = {
  ALL: () => [''],
  NAME: ({ organizationName }: OrganizationRecord) => [organizationName],
  USERNAME: ({ users }: OrganizationRecord) => users.map(({ userName }) => userName),
  EMAIL: ({ users }: OrganizationRecord) => users.flatMap(({ userEmail }) => userEmail ?? []),
  PHONE_NUMBER: ({ users }: OrganizationRecord) => users.flatMap(({ userPhoneNumber }) => userPhoneNumber ?? []),
  PUBLIC_KEY: ({ users }: OrganizationRecord) =>
    users.flatMap(({ apiKeys }) => apiKeys.map(({ publicKey }) => publicKey)),
} as const satisfies Record<string, (record: OrganizationRecord) => string[]>

type NamedFilter = keyof typeof named
const namedFilters = Object.keys(named) as NamedFilter[]

/** Addresses stand with the accounts and not in the record. */
export type SubOrganizationFilter = NamedFilter | 'WALLET_ACCOUNT_ADDRESS'
export const subOrganizationFilters: readonly SubOrganizationFilter[] = [...namedFilters, 'WALLET_ACCOUNT_ADDRESS']

export interface SubOrganizationQuery {
  parentOrganizationId: string
  filter: SubOrganizationFilter
  value: string
  limit: number
  /** The sub-organization next to which the page lies; absent: the page at the beginning. */
  beside?: string
  backwards: boolean
}

export class SubOrganizations {
  private readonly names: Collection<SubOrganizationNameDocument>
  private readonly organizations: Organizations
  private readonly walletAccounts: WalletAccounts

  constructor(store: Store, organizations: Organizations, walletAccounts: WalletAccounts) {
    this.names = store.collection(subOrganizationNamesSpec)
    this.organizations = organizations
    this.walletAccounts = walletAccounts
  }

  /** Of a record that is about to be stored; nothing for one without a parent. @param before The version before it. */
  async addNames(recordText: string, before?: string): Promise<void> {
    const record = JSON.parse(recordText) as OrganizationRecord
    if (record.parentOrganizationId === undefined) return
    const known = new Set(before === undefined ? [] : namesOf(JSON.parse(before) as OrganizationRecord))
    const fresh = namesOf(record).filter((name) => !known.has(name))
    await this.add(fresh, record.organizationId)
  }

  /** Of a new account of a sub-organization. */
  async addAddress(parentOrganizationId: string, organizationId: string, address: string): Promise<void> {
    await this.add([nameOf(parentOrganizationId, 'WALLET_ACCOUNT_ADDRESS', address)], organizationId)
  }

  /** Ids of those that are not deleted, in the order of their ids. */
  async find({ parentOrganizationId, filter, value, limit, beside, backwards }: SubOrganizationQuery) {
    const name = nameOf(parentOrganizationId, filter, value)
    const found: string[] = []
    let after = beside === undefined ? undefined : idCursor(`${name}/${beside}`, backwards)
    do {
      const query = { where: { name }, sort: '_id', descending: backwards, limit } as const
      const page = await this.names.find(after === undefined ? query : { ...query, after })
      for (const { organizationId } of page.items) {
        if (await this.holds(organizationId, filter, value)) found.push(organizationId)
      }
      after = page.next
    } while (after !== undefined && found.length < limit)
    const wanted = found.slice(0, limit)
    return backwards ? wanted.toReversed() : wanted
  }

  private async holds(organizationId: string, filter: SubOrganizationFilter, value: string): Promise<boolean> {
    const record = await this.organizations.get(organizationId)
    if (record === undefined || record.deletedAtMs !== undefined) return false
    if (filter !== 'WALLET_ACCOUNT_ADDRESS') return named[filter](record).includes(value)
    return (await this.walletAccounts.named(organizationId, value)).length > 0
  }

  private async add(names: readonly string[], organizationId: string): Promise<void> {
    await Promise.all(
      names.map((name) => insertOnce(this.names, { _id: `${name}/${organizationId}`, v: 0, name, organizationId })),
    )
  }
}

function namesOf(record: OrganizationRecord): string[] {
  const { parentOrganizationId = '' } = record
  const names = namedFilters.flatMap((filter) =>
    named[filter](record).map((value) => nameOf(parentOrganizationId, filter, value)),
  )
  return [...new Set(names)]
}

/** An address is the same in every spelling. */
function nameOf(parentOrganizationId: string, filter: SubOrganizationFilter, value: string): string {
  const one = filter === 'WALLET_ACCOUNT_ADDRESS' ? lookupForm(value) : value
  return createHash('sha256').update(`${parentOrganizationId}/${filter}/${one}`).digest('hex')
}
