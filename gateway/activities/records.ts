/** Writes what follows from an activity's outcome. Each write may be repeated after a crash and changes nothing then. */
import type { ActivityType } from '../../signer-core/protocol/activity-type.ts'
import { activityTypes, isActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { Change } from '../../signer-core/protocol/changes.ts'
import type { NewKey, Notarized } from '../../signer-core/protocol/messages.ts'
import type { KeyFacts } from '../../signer-core/protocol/private-key.ts'
import type { WalletFacts } from '../../signer-core/protocol/wallet.ts'
import type { ActivityDocument } from '../documents.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { SubOrganizations } from '../organizations/sub-organizations.ts'
import type { ImportTargets } from '../imports/import-targets.ts'
import type { PrivateKeys } from '../private-keys/private-keys.ts'
import type { WalletAccounts } from '../wallets/wallet-accounts.ts'
import type { Wallets } from '../wallets/wallets.ts'
import { userOf } from './named.ts'

export interface RecordParts {
  organizations: Organizations
  subOrganizations: SubOrganizations
  privateKeys: PrivateKeys
  wallets: Wallets
  walletAccounts: WalletAccounts
  importTargets: ImportTargets
  nowMs: () => number
}

export class Records {
  private readonly parts: RecordParts

  constructor(parts: RecordParts) {
    this.parts = parts
  }

  async write(activity: ActivityDocument): Promise<void> {
    const { newOrganization, changes = '[]', importTarget } = activity
    const founded = newOrganization && (JSON.parse(newOrganization.text) as OrganizationRecord)
    // What comes with a new organization is its own, and there before anybody can name it.
    const { organizationId } = founded ?? activity
    await this.writeMade({ ...activity, organizationId }, founded?.parentOrganizationId)
    if (newOrganization !== undefined) await this.writeOrganization(activity, newOrganization)
    for (const change of JSON.parse(changes) as Change[]) await this.apply(activity, change)
    if (importTarget === undefined) return
    const flow = importFlowOf(activity)
    if (flow === undefined) throw new Error('an import target of no flow')
    const { importTargets, nowMs } = this.parts
    await importTargets.set(activity, userOf(activity), flow, importTarget, nowMs())
  }

  /** @param parentOrganizationId Of the organization that is made; of any other it is looked up. */
  private async writeMade(activity: ActivityDocument, parentOrganizationId?: string): Promise<void> {
    const { newKeys = [], newWallets = [], organizationId } = activity
    if (newKeys.length + newWallets.length === 0) return
    const { wallets, organizations } = this.parts
    const parent = parentOrganizationId ?? (await organizations.get(organizationId))?.parentOrganizationId
    // Accounts before their wallet: whoever can name the wallet sees which of its paths are taken.
    await Promise.all(newKeys.map((newKey, place) => this.writeKey(activity, newKey, place, parent)))
    for (const [place, { wallet, facts }] of newWallets.entries()) {
      await wallets.insert(activity, place, wallet, JSON.parse(facts) as WalletFacts)
    }
    await organizations.forgetMade(organizationId, activity._id)
  }

  private async writeOrganization({ _id }: ActivityDocument, organization: Notarized): Promise<void> {
    const { organizations, subOrganizations, nowMs } = this.parts
    await subOrganizations.addNames(organization.text)
    await organizations.insertMade(organization, _id, nowMs())
  }

  private async writeKey(
    activity: ActivityDocument,
    { key, facts }: NewKey,
    place: number,
    parentOrganizationId: string | undefined,
  ): Promise<void> {
    const { privateKeys, wallets, walletAccounts, subOrganizations, nowMs } = this.parts
    const known = JSON.parse(facts) as KeyFacts
    if (known.kind === 'privateKey') return privateKeys.insert(activity, place, key, known)
    if (parentOrganizationId !== undefined) {
      await subOrganizations.addAddress(parentOrganizationId, activity.organizationId, known.address)
    }
    await walletAccounts.insert(activity, place, key, known)
    // Whoever deletes a wallet marks it first and looks for accounts then, so one of the two sees the other.
    if (await wallets.isDeleted(known.walletId)) await walletAccounts.delete(key.keyId, nowMs())
  }

  private async emptyOrganization({ organizationId }: ActivityDocument): Promise<void> {
    const { privateKeys, wallets, walletAccounts, nowMs } = this.parts
    for (const { _id } of await privateKeys.list(organizationId)) await privateKeys.delete(_id, nowMs())
    for (const { _id } of await wallets.list(organizationId)) await wallets.delete(_id, nowMs())
    await walletAccounts.deleteAllOf({ organizationId }, nowMs())
  }

  private async apply(activity: ActivityDocument, change: Change): Promise<void> {
    const { privateKeys, wallets, walletAccounts, importTargets } = this.parts
    const nowMs = this.parts.nowMs()
    switch (change.change) {
      case 'privateKeyExported':
        return privateKeys.markExported(change.privateKeyId, nowMs)
      case 'walletExported':
        return wallets.markExported(change.walletId, nowMs)
      case 'walletAccountExported':
        return walletAccounts.markExported(change.walletAccountId, nowMs)
      case 'walletRenamed':
        return wallets.rename(change.walletId, change.walletName, activity._id, nowMs)
      case 'privateKeysDeleted':
        for (const privateKeyId of change.privateKeyIds) await privateKeys.delete(privateKeyId, nowMs)
        return
      case 'walletAccountsDeleted':
        for (const walletAccountId of change.walletAccountIds) await walletAccounts.delete(walletAccountId, nowMs)
        return
      case 'walletsDeleted':
        for (const walletId of change.walletIds) {
          await wallets.delete(walletId, nowMs)
          await walletAccounts.deleteAllOf({ walletId }, nowMs)
        }
        return
      case 'organizationDeleted':
        return this.emptyOrganization(activity)
      case 'importTargetUsed':
        return importTargets.set(activity, change.userId, change.flow, null, nowMs)
    }
  }
}

function importFlowOf({ type }: ActivityDocument): ActivityType['importFlow'] {
  const described: ActivityType | undefined = isActivityTypeName(type) ? activityTypes[type] : undefined
  return described?.importFlow
}
