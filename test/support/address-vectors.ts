/** `vectors/addresses.json`: keys and their addresses, made with the chains' own libraries. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressFormat } from '../../signer-core/protocol/address-formats.ts'
import { hexToBytes } from '../../signer-core/protocol/bytes.ts'
import { curveOfName, type Curve, type CurveName } from '../../signer-core/protocol/curves.ts'

interface Vector {
  curve: CurveName
  note: string
  publicKeyCompressed: string
  publicKeyUncompressed?: string
  addresses: Record<AddressFormat, string>
  alternates?: Partial<Record<AddressFormat, Record<string, string>>>
}
interface VectorFile {
  formatsByCurve: Record<CurveName, AddressFormat[]>
  vectors: Vector[]
}
const file = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/addresses.json'), 'utf8')) as VectorFile

export interface AddressCase {
  note: string
  key: { curve: Curve; publicKey: Uint8Array }
  format: AddressFormat
  address: string
  /** Other texts for the key that are not the expected answer: other scripts, other forms of TON. */
  alternates: Record<string, string>
}

export const { formatsByCurve } = file

/** One for each address in the file. */
export const addressCases: AddressCase[] = file.vectors.flatMap((vector) => {
  const publicKey = hexToBytes(vector.publicKeyUncompressed ?? vector.publicKeyCompressed) as Uint8Array
  const key = { curve: curveOfName[vector.curve], publicKey }
  return Object.entries(vector.addresses).map(([format, address]) => ({
    note: `${vector.note}, ${format}`,
    key,
    format: format as AddressFormat,
    address,
    alternates: vector.alternates?.[format as AddressFormat] ?? {},
  }))
})

/** The case of a format on the first key of the file that has it. */
export function caseOf(format: AddressFormat): AddressCase {
  const found = addressCases.find((each) => each.format === format)
  if (found === undefined) throw new Error(`no vector for ${format}`)
  return found
}
