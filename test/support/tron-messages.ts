/** Tron transactions made for tests, field by field. */
import { createBase58check } from '@scure/base'
import { writeProtobuf, type ProtobufField } from '../../signer-core/gate/transactions/protobuf.ts'
import { tron } from '../../signer-core/gate/transactions/tron.ts'
import { tronContracts } from '../../signer-core/gate/transactions/tron-contracts.ts'
import { digest, hex, signerOf } from './transactions.ts'

export const KEY = '51a10eee8cf6fc07b8a4c3552e66c0655b6570675c0bffff522fb602ae20cc1c'
export const OWNER = hex('416739ab536684c81aa719e1d176fee7946ef2666e')
export const OTHER = hex('41529e52718ff4fd685f27236cbf0b00e8cd9c129b')
export const base58check = createBase58check((data: Uint8Array) => digest('sha256', data))
export const signer = signerOf('secp256k1', KEY)
export const parse = (bytes: Uint8Array) => tron.parse(bytes, signer, digest)
export const txOf = (parsed: ReturnType<typeof parse>) => (parsed.facts.tron as { tx: Record<string, unknown> }).tx
export const contractOf = (bytes: Uint8Array) => (txOf(parse(bytes)).contract as Record<string, unknown>[])[0]

export type Fields = [number: number, value: ProtobufField['value'] | number | string][]
export const message = (fields: Fields) =>
  writeProtobuf(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return { number, value: BigInt(value) }
      return { number, value: typeof value === 'string' ? hex(Buffer.from(value).toString('hex')) : value }
    }),
  )
export const any = (name: string, fields: Fields) =>
  message([
    [1, `type.googleapis.com/protocol.${name}`],
    [2, message(fields)],
  ])
export const head: Fields = [
  [1, hex('bd5d')],
  [4, hex('721ffdb5cc406fd5')],
  [8, 1_790_021_545_000],
]
export const rawOf = (contract: Uint8Array) => message([...head, [11, contract]])
/** As type 0 is not written. */
export const typed = (type: number, rest: Fields): Fields => (type === 0 ? rest : [[1, type], ...rest])
export const calling = (type: number, fields: Fields, rest: Fields = []) => {
  const name = tronContracts[type]?.name ?? 'UnknownContract'
  return rawOf(message(typed(type, [[2, any(name, fields)], ...rest])))
}
export const transfer: Fields = [
  [1, OWNER],
  [2, OTHER],
  [3, 7],
]
