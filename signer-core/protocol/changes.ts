/**
 * What an activity changes besides the records that it makes: said by the signer, done by the gateway. The member
 * `changes` of an outcome is JSON of a list of these.
 */

/** What an import target serves for. Each user has one of each, and neither serves for the other. */
export type ImportFlow = 'private-key' | 'wallet'

export type Change =
  /** Exported: it left, sealed to somebody. */
  | { change: 'privateKeyExported'; privateKeyId: string }
  | { change: 'walletExported'; walletId: string }
  | { change: 'walletAccountExported'; walletAccountId: string }
  | { change: 'walletRenamed'; walletId: string; walletName: string }
  | { change: 'privateKeysDeleted'; privateKeyIds: string[] }
  /** Together with their accounts. */
  | { change: 'walletsDeleted'; walletIds: string[] }
  | { change: 'walletAccountsDeleted'; walletAccountIds: string[] }
  /** The activity's own organization, with all its keys and wallets. */
  | { change: 'organizationDeleted' }
  /** The target has served and is to be forgotten. */
  | { change: 'importTargetUsed'; flow: ImportFlow; userId: string }
