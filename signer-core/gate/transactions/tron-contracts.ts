/**
 * The kinds of Tron contract that are offered, by number (Tron.proto, ContractType), with the fields of their messages
 * (java-tron's core/contract). Everything else is refused: what policies cannot read they cannot judge. That leaves out
 * on purpose AccountPermissionUpdateContract, which gives the account away.
 */
import { utf8ToBytes, equalBytes } from '../../protocol/bytes.ts'
import type { JsonObject } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { TransactionError } from './transaction.ts'
import {
  address,
  amount,
  bytes,
  fieldsOf,
  flag,
  hex,
  many,
  readTronMessage,
  resource,
  small,
  tokenNumber,
  type TronMessage,
  type Value,
} from './tron-fields.ts'

interface TronContractKind {
  name: string
  message: TronMessage
}

const TYPE = 1
const PARAMETER = 2
const PERMISSION_ID = 5
/** google.protobuf.Any. */
const TYPE_URL = 1
const MESSAGE = 2

const owner = address('owner_address')

export const tronContracts: Readonly<Record<number, TronContractKind>> = {
  0: {
    name: 'AccountCreateContract',
    message: { 1: owner, 2: address('account_address'), 3: small('account_type') },
  },
  1: {
    name: 'TransferContract',
    message: { 1: owner, 2: address('to_address'), 3: amount('amount') },
  },
  2: {
    name: 'TransferAssetContract',
    message: { 1: tokenNumber('asset_name'), 2: owner, 3: address('to_address'), 4: amount('amount') },
  },
  4: {
    name: 'VoteWitnessContract',
    message: {
      1: owner,
      2: many('votes', { 1: address('vote_address'), 2: amount('vote_count') }),
      3: flag('support'),
    },
  },
  13: { name: 'WithdrawBalanceContract', message: { 1: owner } },
  31: {
    name: 'TriggerSmartContract',
    message: {
      1: owner,
      2: address('contract_address'),
      3: amount('call_value'),
      4: hex('data'),
      5: amount('call_token_value'),
      6: amount('token_id'),
    },
  },
  54: {
    name: 'FreezeBalanceV2Contract',
    message: { 1: owner, 2: amount('frozen_balance'), 3: resource(3) },
  },
  55: {
    name: 'UnfreezeBalanceV2Contract',
    message: { 1: owner, 2: amount('unfreeze_balance'), 3: resource(3) },
  },
  56: { name: 'WithdrawExpireUnfreezeContract', message: { 1: owner } },
  57: {
    name: 'DelegateResourceContract',
    message: {
      1: owner,
      2: resource(2),
      3: amount('balance'),
      4: address('receiver_address'),
      5: flag('lock'),
      6: amount('lock_period'),
    },
  },
  58: {
    name: 'UnDelegateResourceContract',
    message: { 1: owner, 2: resource(2), 3: amount('balance'), 4: address('receiver_address') },
  },
  59: { name: 'CancelAllUnfreezeV2Contract', message: { 1: owner } },
}

/**
 * Reads Transaction.Contract; its `provider` (3) and `ContractName` (4), which nothing uses, are refused.
 * @throws {TransactionError} for a kind that is not offered, or when number and name of the kind differ.
 */
export function readTronContract(encoded: Value, digest: Digest): JsonObject {
  const fields = fieldsOf(bytes(encoded), [TYPE, PARAMETER, PERMISSION_ID])
  const kind = tronContracts[numberIn(fields, TYPE)]
  if (kind === undefined) throw new TransactionError('Tron contracts of this type are not offered')
  const parameter = fieldsOf(bytesIn(fields, PARAMETER), [TYPE_URL, MESSAGE])
  const url = utf8ToBytes(`type.googleapis.com/protocol.${kind.name}`)
  if (!equalBytes(bytesIn(parameter, TYPE_URL), url)) {
    throw new TransactionError('a Tron contract whose number and name differ')
  }
  const facts = readTronMessage(bytesIn(parameter, MESSAGE), kind.message, digest)
  return { type: kind.name, permission_id: numberIn(fields, PERMISSION_ID), ...facts }
}

/** int32, not negative; absent is 0. */
function numberIn(fields: Map<number, Value[]>, number: number): number {
  const value = only(fields, number) ?? 0n
  if (typeof value !== 'bigint' || value >= 1n << 31n) throw new TransactionError('a number out of its range')
  return Number(value)
}

function bytesIn(fields: Map<number, Value[]>, number: number): Uint8Array {
  const value = only(fields, number)
  if (value === undefined) throw new TransactionError('a Tron contract without its content')
  return bytes(value)
}

function only(fields: Map<number, Value[]>, number: number): Value | undefined {
  const values = fields.get(number) ?? []
  if (values.length > 1) throw new TransactionError('a Tron message with a field twice')
  return values[0]
}
