import type { ExportWalletAccount } from '../../protocol/activities/export-wallet-account.ts'
import { exportCommitment, exportedBundle } from '../key-export.ts'
import { namedKey } from '../named-key.ts'
import type { Operation } from '../operation.ts'

/** What leaves is the account's own private key, not the wallet. */
export const exportWalletAccount: Operation<ExportWalletAccount> = {
  plan({ address, targetPublicKey }, context) {
    const { key } = namedKey(context.keys, address, 'parameters.address')
    return {
      commitment: exportCommitment('EXPORT_WALLET_ACCOUNT', key, targetPublicKey),
      subject: { key },
      execute() {
        const bundle = exportedBundle(key, targetPublicKey, context.organizationId)
        return {
          result: { exportWalletAccountResult: { address, exportBundle: bundle } },
          changes: [{ change: 'walletAccountExported', walletAccountId: key.keyId }],
        }
      },
    }
  },
}
