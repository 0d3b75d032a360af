/** Tron's contracts: facts of every kind, one planted fault per rule. */
import test from 'ava'
import { tronContracts } from '../../../signer-core/gate/transactions/tron-contracts.ts'
import {
  any,
  base58check,
  calling,
  contractOf,
  message,
  OTHER,
  OWNER,
  parse,
  rawOf,
  transfer,
  type Fields,
} from '../../support/tron-messages.ts'
import { hex, joined, refusals } from '../../support/transactions.ts'

test('contracts: facts of every kind', (t) => {
  const [owner_address, other] = [base58check.encode(OWNER), base58check.encode(OTHER)]
  const owner: Fields[number] = [1, OWNER]
  const staked = [owner, [2, 5], [3, 1]] as Fields
  const told: Record<number, [Fields, Record<string, unknown>]> = {
    0: [[owner, [2, OTHER], [3, 1]], { account_address: other, account_type: 1 }],
    1: [transfer, { to_address: other, amount: '7' }],
    2: [
      [
        [1, '1002000'],
        [2, OWNER],
        [3, OTHER],
        [4, 25],
      ],
      { asset_name: '1002000', to_address: other, amount: '25' },
    ],
    4: [
      [
        owner,
        [
          2,
          message([
            [1, OTHER],
            [2, 3],
          ]),
        ],
        [
          2,
          message([
            [1, OWNER],
            [2, 4],
          ]),
        ],
      ],
      {
        votes: [
          { vote_address: other, vote_count: '3' },
          { vote_address: owner_address, vote_count: '4' },
        ],
        support: false,
      },
    ],
    13: [[owner], {}],
    31: [
      [owner, [2, OTHER], [3, 1], [4, hex('a9059cbb')], [5, 2], [6, 1_000_001]],
      { contract_address: other, call_value: '1', data: 'a9059cbb', call_token_value: '2', token_id: '1000001' },
    ],
    54: [staked, { frozen_balance: '5', resource: 'ENERGY' }],
    55: [staked, { unfreeze_balance: '5', resource: 'ENERGY' }],
    56: [[owner], {}],
    57: [
      [owner, [2, 1], [3, 5], [4, OTHER], [5, 1], [6, 86_400]],
      { resource: 'ENERGY', balance: '5', receiver_address: other, lock: true, lock_period: '86400' },
    ],
    58: [[owner, [3, 5], [4, OTHER]], { resource: 'BANDWIDTH', balance: '5', receiver_address: other }],
    59: [[owner], {}],
  }
  t.deepEqual(Object.keys(told), Object.keys(tronContracts))
  for (const [type, [fields, facts]] of Object.entries(told)) {
    const { name } = tronContracts[Number(type)] ?? { name: '' }
    t.deepEqual(contractOf(calling(Number(type), fields)), { type: name, permission_id: 0, owner_address, ...facts })
    const missing = calling(
      Number(type),
      fields.filter(([, value]) => value !== OWNER),
    )
    t.throws(() => parse(missing), { message: /field that it needs|default value/ }, name)
    const unknown = calling(Number(type), [...fields, [99, 1]])
    t.throws(() => parse(unknown), { message: /field that is not offered/ }, name)
  }
})

test('contracts: one fault each', (t) => {
  const contract = (fields: Fields) => rawOf(message(fields))
  const parameter = any('TransferContract', transfer)
  const withField = (at: number, field: Fields[number]) => calling(1, transfer.with(at, field))
  refusals(t, parse, calling(1, transfer), [
    ['a contract that is not offered', calling(46, [[1, OWNER]]), /of this type are not offered/],
    ['an unknown contract', calling(60, [[1, OWNER]]), /of this type are not offered/],
    [
      'another name',
      contract([
        [1, 1],
        [2, any('TransferAssetContract', transfer)],
      ]),
      /number and name differ/,
    ],
    [
      'no name',
      contract([
        [1, 1],
        [2, message([[2, message(transfer)]])],
      ]),
      /without its content/,
    ],
    [
      'no message',
      contract([
        [1, 1],
        [2, message([[1, 'type.googleapis.com/protocol.TransferContract']])],
      ]),
      /its content/,
    ],
    [
      'more in Any',
      contract([
        [1, 1],
        [2, joined(parameter, message([[3, 1]]))],
      ]),
      /field that is not offered/,
    ],
    ['no parameter', contract([[1, 1]]), /without its content/],
    [
      'two parameters',
      contract([
        [1, 1],
        [2, parameter],
        [2, parameter],
      ]),
      /field twice/,
    ],
    [
      'a provider',
      contract([
        [1, 1],
        [2, parameter],
        [3, 'x'],
      ]),
      /field that is not offered/,
    ],
    [
      'a contract name',
      contract([
        [1, 1],
        [2, parameter],
        [4, 'x'],
      ]),
      /field that is not offered/,
    ],
    [
      'type as bytes',
      contract([
        [1, 'x'],
        [2, parameter],
      ]),
      /out of its range/,
    ],
    [
      'parameter as number',
      contract([
        [1, 1],
        [2, 5],
      ]),
      /number where bytes/,
    ],
    ['permission beyond int32', calling(1, transfer, [[5, 2 ** 31]]), /out of its range/],
    ['20 bytes of address', withField(1, [2, OTHER.subarray(1)]), /not 21 bytes/],
    ['an address of another chain', withField(1, [2, joined(hex('42'), OTHER.subarray(1))]), /not of Tron/],
    ['an address as number', withField(1, [2, 5]), /number where bytes/],
    ['an amount as bytes', withField(2, [3, 'x']), /out of its range/],
    ['a negative amount', withField(2, [3, 1n << 63n]), /out of its range/],
    ['a field twice', calling(1, [...transfer, [3, 8]]), /field twice/],
    [
      'a resource that is none',
      calling(57, [
        [1, OWNER],
        [2, 2],
        [4, OTHER],
      ]),
      /out of its range/,
    ],
    [
      'a flag of 2',
      calling(57, [
        [1, OWNER],
        [4, OTHER],
        [5, 2],
      ]),
      /out of its range/,
    ],
    [
      'a token by letters',
      calling(2, [
        [1, 'TRX'],
        [2, OWNER],
        [3, OTHER],
      ]),
      /named by its number/,
    ],
    [
      'a vote for nobody',
      calling(4, [
        [1, OWNER],
        [2, message([[2, 3]])],
      ]),
      /field that it needs/,
    ],
    ['no votes', calling(4, [[1, OWNER]]), /field that it needs/],
  ])
  t.is(contractOf(withField(2, [3, (1n << 63n) - 1n]))?.amount, '9223372036854775807')
})
