import { exportWallet as exportSealed } from 'keystead:engine/engine@0.1.0'
import type { ExportWallet } from '../../protocol/activities/export-wallet.ts'
import { bytesToHex, hexToBytes } from '../../protocol/bytes.ts'
import { refusingFaults, refusingWalletSeal } from '../border.ts'
import { exportBundle } from '../bundles.ts'
import { sealedWalletOf } from '../key-binding.ts'
import { namedWallet } from '../named-wallet.ts'
import type { Operation } from '../operation.ts'

/** What leaves is the mnemonic, in English. */
export const exportWallet: Operation<ExportWallet> = {
  plan({ walletId, targetPublicKey }, context) {
    const wallet = namedWallet(context.wallets, walletId, 'parameters.walletId')
    const target = hexToBytes(targetPublicKey) as Uint8Array
    return {
      commitment: { operation: 'EXPORT_WALLET', walletId, target: bytesToHex(target) },
      subject: { walletId },
      execute() {
        const { organizationId } = context
        const faults = {
          'bad-input': ['TARGET_KEY_INVALID', 'invalid target public key', 'parameters.targetPublicKey'],
        } as const
        const parcel = refusingWalletSeal(() =>
          refusingFaults(faults, () => exportSealed(sealedWalletOf(wallet, organizationId), target)),
        )
        return {
          result: { exportWalletResult: { walletId, exportBundle: exportBundle(parcel, organizationId) } },
          changes: [{ change: 'walletExported', walletId }],
        }
      },
    }
  },
}
