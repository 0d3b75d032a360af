/** Typed data to start from, and its way through the gate's code. */
import { readTypedData, type TypedData } from '../../signer-core/gate/eip712/typed-data.ts'
import { digest } from './address-tools.ts'

export interface TypedDataJson {
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  domain: Record<string, unknown>
  message: Record<string, unknown>
}

/** Every kind of type once, in a domain with every member. A fresh copy each time, free to be changed. */
export function sampleTypedData(): TypedDataJson {
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
        { name: 'salt', type: 'bytes32' },
      ],
      Order: [
        { name: 'maker', type: 'Party' },
        { name: 'takers', type: 'Party[]' },
        { name: 'amount', type: 'uint256' },
        { name: 'delta', type: 'int8' },
        { name: 'open', type: 'bool' },
        { name: 'note', type: 'string' },
        { name: 'data', type: 'bytes' },
        { name: 'code', type: 'bytes4' },
        { name: 'grid', type: 'uint8[2][]' },
      ],
      Party: [
        { name: 'wallet', type: 'address' },
        { name: 'children', type: 'Party[]' },
      ],
    },
    primaryType: 'Order',
    domain: {
      name: 'Sample',
      version: '1',
      chainId: '0x14a34',
      verifyingContract: '0x1111111111111111111111111111111111111111',
      salt: `0x${'AB'.repeat(32)}`,
    },
    message: {
      maker: { wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', children: [] },
      takers: [
        {
          wallet: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
          children: [{ wallet: '0xCD2A3D9F938E13CD947EC05ABC7FE734DF8DD826', children: [] }],
        },
      ],
      amount: '1000000',
      delta: -1,
      open: true,
      note: 'hé✓',
      data: '0xDEad',
      code: '0x01020304',
      grid: [
        [1, '2'],
        ['0x3', 4],
      ],
    },
  }
}

export function read(data: unknown): TypedData {
  return readTypedData(JSON.stringify(data), digest)
}

/** Typed data with one member of one type, in an empty domain. */
export function single(type: string, value: unknown, more: TypedDataJson['types'] = {}): TypedDataJson {
  return { types: { A: [{ name: 'a', type }], ...more }, primaryType: 'A', domain: {}, message: { a: value } }
}
