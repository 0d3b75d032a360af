import { addressFormats, curvesOfAddressFormat } from '../address-formats.ts'
import { curveNames } from '../curves.ts'
import { KEYS_PER_ACTIVITY_MAX, NAME_LENGTH_MAX } from '../limits.ts'
import { list, object, oneOf, text, type Schema, type TypeOf } from '../schema.ts'
import { uuid } from '../organization-record.ts'

/** Every format of the specification at most once. */
export const FORMATS_MAX = 38
const TAGS_MAX = 100

const member = object({
  privateKeyName: text(NAME_LENGTH_MAX),
  curve: oneOf(curveNames),
  privateKeyTags: list(uuid, TAGS_MAX),
  addressFormats: list(oneOf(addressFormats, 'address format'), FORMATS_MAX),
})

type Member = TypeOf<typeof member>

/** A format that does not fit the curve is the caller's mistake, found before anything happens. */
export function fittingFormats<T extends Pick<Member, 'curve' | 'addressFormats'>>(schema: Schema<T>): Schema<T> {
  return {
    read(value, field, violations) {
      const before = violations.length
      const key = schema.read(value, field, violations)
      if (violations.length > before) return key
      key.addressFormats.forEach((format, i) => {
        const curves: readonly string[] = curvesOfAddressFormat[format]
        if (curves.includes(key.curve)) return
        violations.push({ field: `${field}.addressFormats.${i}`, description: 'invalid address format for the curve' })
      })
      return key
    },
  }
}

export const privateKeyParams = fittingFormats(member)

export const createPrivateKeysSchema = object({
  privateKeys: list(privateKeyParams, KEYS_PER_ACTIVITY_MAX, { countMin: 1 }),
})
export type CreatePrivateKeys = TypeOf<typeof createPrivateKeysSchema>
