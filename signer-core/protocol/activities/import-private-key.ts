import { addressFormats } from '../address-formats.ts'
import { curveNames } from '../curves.ts'
import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { list, object, oneOf, text, type TypeOf } from '../schema.ts'
import { FORMATS_MAX, fittingFormats } from './create-private-keys.ts'

/** JSON text with a 65-byte point and a sealed secret in hexadecimal. */
const BUNDLE_LENGTH_MAX = 4_096
export const encryptedBundle = text(BUNDLE_LENGTH_MAX)

const members = object({
  userId: uuid,
  privateKeyName: text(NAME_LENGTH_MAX),
  encryptedBundle,
  curve: oneOf(curveNames),
  addressFormats: list(oneOf(addressFormats, 'address format'), FORMATS_MAX),
})

export const importPrivateKeySchema = fittingFormats(members)
export type ImportPrivateKey = TypeOf<typeof members>
