/** Accounts of a wallet as several activities ask for them. */
import { addressFormats, curvesOfAddressFormat } from '../address-formats.ts'
import { curveNames } from '../curves.ts'
import { parsePath, pathFitsCurve } from '../derivation-path.ts'
import { ACCOUNTS_PER_ACTIVITY_MAX, NAME_LENGTH_MAX } from '../limits.ts'
import { list, object, oneOf, optional, text, type Schema, type TypeOf } from '../schema.ts'

const members = object({
  curve: oneOf(curveNames),
  pathFormat: oneOf(['PATH_FORMAT_BIP32']),
  path: text(200),
  addressFormat: oneOf(addressFormats),
  name: optional(text(NAME_LENGTH_MAX)),
})
export type AccountParams = TypeOf<typeof members>

/** Path, curve and address format fit each other. */
const account: Schema<AccountParams> = {
  read(value, field, violations) {
    const before = violations.length
    const read = members.read(value, field, violations)
    if (violations.length > before) return read
    const levels = parsePath(read.path)
    const curves: readonly string[] = curvesOfAddressFormat[read.addressFormat]
    if (levels === undefined) violations.push({ field: `${field}.path`, description: 'invalid path' })
    else if (!pathFitsCurve(levels, read.curve)) {
      const description = 'invalid path for the curve: on CURVE_ED25519 every level must be hardened'
      violations.push({ field: `${field}.path`, description })
    }
    if (!curves.includes(read.curve)) {
      violations.push({ field: `${field}.addressFormat`, description: 'invalid address format for the curve' })
    }
    return read
  },
}

/** A path stands for one account of a wallet, so none occurs twice. */
export function accountList({ countMin = 0 } = {}): Schema<AccountParams[]> {
  const accounts = list(account, ACCOUNTS_PER_ACTIVITY_MAX, { countMin })
  return {
    read(value, field, violations) {
      const before = violations.length
      const read = accounts.read(value, field, violations)
      if (violations.length > before) return read
      const paths = new Set<string>()
      read.forEach(({ path }, i) => {
        if (paths.has(path)) violations.push({ field: `${field}.${i}.path`, description: 'duplicate path' })
        paths.add(path)
      })
      return read
    },
  }
}
