import test from 'ava'
import { deriveAddress } from '../../../signer-core/gate/addresses/index.ts'
import { createPrivateKeysSchema } from '../../../signer-core/protocol/activities/create-private-keys.ts'
import { addressFormats, curvesOfAddressFormat } from '../../../signer-core/protocol/address-formats.ts'
import { curveNames } from '../../../signer-core/protocol/curves.ts'
import { parse } from '../../../signer-core/protocol/schema.ts'
import { addressCases, formatsByCurve } from '../../support/address-vectors.ts'
import { addressTools } from '../../support/address-tools.ts'

test('every address of the vectors comes out letter for letter', (t) => {
  t.is(addressCases.length, 4 * 31 + 4 * 8 + 4 * 2)
  for (const { note, key, format, address } of addressCases) {
    t.deepEqual(deriveAddress(format, key.publicKey, addressTools), { format, address }, note)
  }
})

test('the vectors hold every format four times for each curve that it fits', (t) => {
  t.is(addressFormats.length, 38)
  for (const format of addressFormats) {
    const count = addressCases.filter((each) => each.format === format).length
    t.is(count, 4 * curvesOfAddressFormat[format].length, format)
  }
})

const wanted = (curve: string, format: string) => ({
  privateKeys: [{ privateKeyName: 'a', curve, privateKeyTags: [], addressFormats: [format] }],
})

test('a format is accepted on the listed curves and refused on the others', (t) => {
  let refused = 0
  for (const curve of curveNames) {
    for (const format of addressFormats) {
      const parsed = parse(createPrivateKeysSchema, wanted(curve, format), 'parameters')
      t.is(parsed.ok, formatsByCurve[curve].includes(format), `${format} on ${curve}`)
      if (parsed.ok) continue
      refused++
      t.deepEqual(parsed.violations, [
        { field: 'parameters.privateKeys.0.addressFormats.0', description: 'invalid address format for the curve' },
      ])
    }
  }
  t.is(refused, 3 * 38 - 31 - 8 - 2)
})

test('all formats of a curve can be asked for at once, and a made-up one cannot', (t) => {
  for (const curve of curveNames) {
    const all = { ...wanted(curve, '').privateKeys[0], addressFormats: formatsByCurve[curve] }
    t.true(parse(createPrivateKeysSchema, { privateKeys: [all] }).ok, curve)
  }
  t.false(parse(createPrivateKeysSchema, wanted('CURVE_SECP256K1', 'ADDRESS_FORMAT_LITECOIN')).ok)
})
