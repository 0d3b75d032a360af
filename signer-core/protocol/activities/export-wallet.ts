import { uuid } from '../organization-record.ts'
import { object, oneOf, optional, type Schema, type TypeOf } from '../schema.ts'
import { targetPublicKey } from './export-private-key.ts'

const languages = [
  'MNEMONIC_LANGUAGE_ENGLISH',
  'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE',
  'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE',
  'MNEMONIC_LANGUAGE_CZECH',
  'MNEMONIC_LANGUAGE_FRENCH',
  'MNEMONIC_LANGUAGE_ITALIAN',
  'MNEMONIC_LANGUAGE_JAPANESE',
  'MNEMONIC_LANGUAGE_KOREAN',
  'MNEMONIC_LANGUAGE_SPANISH',
] as const
const known = oneOf(languages)

/** Every language of the wire is known; a mnemonic of another one would be another seed, so only English is written. */
const language: Schema<(typeof languages)[number]> = {
  read(value, field, violations) {
    const before = violations.length
    const read = known.read(value, field, violations)
    if (violations.length === before && read !== 'MNEMONIC_LANGUAGE_ENGLISH') {
      violations.push({ field, description: 'unsupported language: only MNEMONIC_LANGUAGE_ENGLISH' })
    }
    return read
  },
}

export const exportWalletSchema = object({ walletId: uuid, targetPublicKey, language: optional(language) })
export type ExportWallet = TypeOf<typeof exportWalletSchema>
