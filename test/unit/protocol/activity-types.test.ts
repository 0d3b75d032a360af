import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { activityTypes } from '../../../signer-core/protocol/activity-types.ts'
import { addressFormats, curvesOfAddressFormat } from '../../../signer-core/protocol/address-formats.ts'

interface Enums {
  activityTypes: { type: string; path?: string; intentKey: string; resultKey: string }[]
  addressFormats: { name: string; curves: string[] }[]
}
const enums = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/enums.json'), 'utf8')) as Enums

test('paths and intent names are those of the public types', (t) => {
  for (const [type, { path, intents }] of Object.entries(activityTypes)) {
    const known = enums.activityTypes.find((each) => each.type === type)
    t.is(known?.intentKey, intents[0], type)
    t.true(known?.path?.endsWith(`/${path}`) ?? false, `${type} ${String(known?.path)}`)
  }
})

test('address formats exist on the wire and fit the same curves', (t) => {
  for (const format of addressFormats) {
    const known = enums.addressFormats.find((each) => each.name === format)
    t.deepEqual([...curvesOfAddressFormat[format]].toSorted(), known?.curves.toSorted(), format)
  }
})
