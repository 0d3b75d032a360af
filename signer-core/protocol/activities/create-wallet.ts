import { NAME_LENGTH_MAX } from '../limits.ts'
import { object, optional, text, type Schema, type TypeOf } from '../schema.ts'
import { accountList } from './wallet-accounts.ts'

/** BIP-39: words of a mnemonic. */
const MNEMONIC_LENGTHS = [12, 15, 18, 21, 24] as const
type MnemonicLength = (typeof MNEMONIC_LENGTHS)[number]
export const MNEMONIC_LENGTH_DEFAULT: MnemonicLength = 12

const mnemonicLength: Schema<MnemonicLength> = {
  read(value, field, violations) {
    const known = MNEMONIC_LENGTHS.find((each) => each === value)
    if (known === undefined) violations.push({ field, description: 'mnemonic length must be 12, 15, 18, 21 or 24' })
    return known ?? MNEMONIC_LENGTH_DEFAULT
  },
}

export const createWalletSchema = object({
  walletName: text(NAME_LENGTH_MAX),
  accounts: accountList(),
  mnemonicLength: optional(mnemonicLength),
})
export type CreateWallet = TypeOf<typeof createWalletSchema>
