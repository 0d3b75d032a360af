import type { SealedWallet } from '../../signer-core/protocol/messages.ts'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { WalletFacts } from '../../signer-core/protocol/wallet.ts'
import { changedOnce, livingOf, madeBy, markDeleted, markExported } from '../activities/made.ts'
import { walletsSpec, type ActivityDocument, type WalletDocument } from '../documents.ts'
import type { Collection, Store } from '../store/store.ts'
import { change, findAll, insertOnce } from '../store/writes.ts'

/** Wallets at rest: a seed for accounts, never used by itself. */
export class Wallets {
  private readonly wallets: Collection<WalletDocument>

  constructor(store: Store) {
    this.wallets = store.collection(walletsSpec)
  }

  /** Another organization's wallet is as good as none, and so is a deleted one. */
  async get(organizationId: string, walletId: string): Promise<WalletDocument | undefined> {
    return UUID.test(walletId) ? livingOf(await this.wallets.get(walletId), organizationId) : undefined
  }

  /** false also for a wallet that is not there yet. */
  async isDeleted(walletId: string): Promise<boolean> {
    return (await this.wallets.get(walletId))?.state === 'deleted'
  }

  /** In order of creation. */
  list(organizationId: string): Promise<WalletDocument[]> {
    return findAll(this.wallets, { where: { organizationId, state: 'living' }, sort: 'order' })
  }

  /** Writes a wallet that an activity created. Repeating it writes nothing twice. */
  async insert(activity: ActivityDocument, place: number, sealedWallet: SealedWallet, facts: WalletFacts) {
    const _id = sealedWallet.walletId
    await insertOnce(this.wallets, { _id, v: 0, ...madeBy(activity, place), ...facts, sealedWallet })
  }

  /** Of two activities under way at once, that which ends last has named it. Repeating it changes nothing. */
  rename(walletId: string, walletName: string, activityId: string, nowMs: number): Promise<void> {
    const changes = { walletName, updatedAtMs: nowMs }
    return change(this.wallets, walletId, (stored) => changedOnce(stored, activityId, changes))
  }

  markExported(walletId: string, nowMs: number): Promise<void> {
    return markExported(this.wallets, walletId, nowMs)
  }

  delete(walletId: string, nowMs: number): Promise<void> {
    const emptied = (wallet: WalletDocument) => ({ ...wallet, sealedWallet: { ...wallet.sealedWallet, sealed: '' } })
    return markDeleted(this.wallets, walletId, emptied, nowMs)
  }
}
