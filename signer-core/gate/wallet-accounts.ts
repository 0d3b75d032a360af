/** Accounts of a wallet: planned as data, then derived. Each gets a key of its own, sealed like any private key. */
import { derive, type SealedWallet } from 'keystead:engine/engine@0.1.0'
import type { AccountParams } from '../protocol/activities/wallet-accounts.ts'
import { curveOfName } from '../protocol/curves.ts'
import { parsePath } from '../protocol/derivation-path.ts'
import type { JsonObject } from '../protocol/strict-json.ts'
import type { WalletAccountFacts } from '../protocol/wallet.ts'
import { engineTools } from './addresses/engine-tools.ts'
import { deriveAddress } from './addresses/index.ts'
import { refusingWalletSeal } from './border.ts'
import { keyBinding } from './key-binding.ts'
import { certify } from './key-certificate.ts'
import { newKeyId } from './key-ids.ts'
import type { PlanContext } from './operation.ts'
import { publicKeyHex } from './public-key.ts'
import type { NewKey } from './wit-types.ts'

export interface PlannedAccount extends AccountParams {
  walletAccountId: string
}

/** @param firstIndex Of the ids that the activity makes, this many come before. */
export function planAccounts(accounts: AccountParams[], context: PlanContext, firstIndex: number): PlannedAccount[] {
  const { activityId, bodyDigest } = context
  return accounts.map((each, i) => ({ ...each, walletAccountId: newKeyId(activityId, bodyDigest, firstIndex + i) }))
}

export function accountsCommitment(accounts: PlannedAccount[]): JsonObject[] {
  return accounts.map(({ name = '', ...account }) => ({ ...account, name }))
}

/**
 * The accounts' keys in order. The wallet is opened once for each.
 * @throws {RefusalError} `SEALED_KEY_REFUSED` when the wallet is not what was sealed for this organization and id.
 */
export function deriveAccounts(
  accounts: PlannedAccount[],
  walletId: string,
  wallet: SealedWallet,
  organizationId: string,
): { addresses: string[]; newKeys: NewKey[] } {
  const derived = refusingWalletSeal(() =>
    accounts.map((account) => deriveAccount(account, walletId, wallet, organizationId)),
  )
  return { addresses: derived.map(({ address }) => address), newKeys: derived.map(({ newKey }) => newKey) }
}

function deriveAccount(
  { walletAccountId, ...account }: PlannedAccount,
  walletId: string,
  wallet: SealedWallet,
  organizationId: string,
): { address: string; newKey: NewKey } {
  const curve = curveOfName[account.curve]
  const levels = Uint32Array.from(parsePath(account.path) as number[])
  const { publicKey, sealed } = derive(wallet, curve, levels, keyBinding(organizationId, walletAccountId))
  const { address } = deriveAddress(account.addressFormat, publicKey, engineTools)
  const facts: WalletAccountFacts = {
    kind: 'walletAccount',
    walletId,
    ...account,
    address,
    publicKey: publicKeyHex(publicKey),
  }
  const certificate = certify({ organizationId, keyId: walletAccountId, kind: 'walletAccount', walletId, address })
  return {
    address,
    newKey: { key: { keyId: walletAccountId, curve, publicKey, sealed, certificate }, facts: JSON.stringify(facts) },
  }
}
