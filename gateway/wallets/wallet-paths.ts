/**
 * Which activity has which path of a wallet. A path serves for one account, and the arbiter is the `_id` of a document
 * that an activity writes before the signer is asked: whoever comes second is refused before anything has begun, so
 * no account can fail later.
 *
 * Nothing is given back. A path is free again when its activity came to nothing (refused, failed) or when its account
 * is deleted; both are seen in those documents, so a crash leaves no path taken for nothing.
 */
import { isFinal } from '../activities/phases.ts'
import { activitiesSpec, walletPathsSpec, type ActivityDocument, type WalletPathDocument } from '../documents.ts'
import type { Collection, Store } from '../store/store.ts'
import { insertOnce } from '../store/writes.ts'
import type { WalletAccounts } from './wallet-accounts.ts'

export class WalletPaths {
  private readonly paths: Collection<WalletPathDocument>
  private readonly activities: Collection<ActivityDocument>
  private readonly accounts: WalletAccounts

  constructor(store: Store, accounts: WalletAccounts) {
    this.paths = store.collection(walletPathsSpec)
    this.activities = store.collection(activitiesSpec)
    this.accounts = accounts
  }

  /**
   * Takes every path for the activity. Repeating it changes nothing.
   * @returns the first path that another activity has.
   */
  async take(activityId: string, walletId: string, paths: string[]): Promise<string | undefined> {
    // In one order for everybody, so that of two activities with several paths in common one gets them all.
    for (const path of paths.toSorted()) if (!(await this.takeOne(activityId, walletId, path))) return path
    return undefined
  }

  private async takeOne(activityId: string, walletId: string, path: string): Promise<boolean> {
    const _id = `${walletId}/${path}`
    for (let isOurs = await insertOnce(this.paths, { _id, v: 0, activityId }); !isOurs;) {
      const taken = await this.paths.get(_id)
      if (taken === undefined) throw new Error('a taken path is not there')
      if (taken.activityId !== activityId && (await this.isUnderWay(taken.activityId))) return false
      isOurs = taken.activityId === activityId || (await this.paths.compareAndSet(taken, { ...taken, activityId }))
    }
    // Looked at last, when nobody else can make one: accounts of activities that have ended, and those that came with
    // the wallet, which take no path because they are there before the wallet can be named.
    const account = await this.accounts.atPath(walletId, path)
    return account === undefined || account.activityId === activityId
  }

  private async isUnderWay(activityId: string): Promise<boolean> {
    const activity = await this.activities.get(activityId)
    return activity !== undefined && !isFinal(activity.phase)
  }
}
