/** What policies see of a Bitcoin transaction (`bitcoin.tx`). */
import { bytesToHex } from '../../protocol/bytes.ts'
import type { JsonObject } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { addressOf, networkOf } from './bitcoin-script.ts'
import { MONEY_MAX, type BitcoinOutput, type BitcoinTransaction } from './bitcoin-transaction.ts'
import { TransactionError } from './transaction.ts'

/** Lock times below are heights, the others seconds since the epoch (Bitcoin Core, LOCKTIME_THRESHOLD). */
const LOCKTIME_SECONDS_MIN = 500_000_000

/**
 * @param spent The outputs that the inputs spend, as far as they are known; the fee is there when all are.
 * @param name As in `signWith`: a testnet address makes the outputs' addresses testnet's.
 * @throws {TransactionError} when more is paid out than comes in.
 */
export function bitcoinFacts(
  { version, inputs, outputs, locktime }: BitcoinTransaction,
  spent: readonly (BitcoinOutput | undefined)[],
  name: string,
  digest: Digest,
): JsonObject {
  const network = networkOf(name)
  const fee = feeOf(spent, outputs)
  return {
    // Signed 32 bits, and a text: so it is in the policy language.
    version: String(version | 0),
    inputs: inputs.map(({ outpoint, vout, sequence }) => ({
      tx_id: bytesToHex(outpoint.slice(0, 32).toReversed()),
      vout,
      sequence,
    })),
    outputs: outputs.map(({ value, script }) => {
      const known = addressOf(script, network, digest)
      return {
        value: value.toString(),
        script_pubkey: bytesToHex(script),
        ...(known === undefined ? {} : { address: known.address, address_type: known.kind }),
      }
    }),
    locktime: { amount: locktime, type: locktime < LOCKTIME_SECONDS_MIN ? 'Blocks' : 'Seconds' },
    ...(fee === undefined ? {} : { fee: fee.toString() }),
  }
}

function feeOf(spent: readonly (BitcoinOutput | undefined)[], outputs: readonly BitcoinOutput[]): bigint | undefined {
  const paid = sum(outputs)
  const known = spent.filter((output) => output !== undefined)
  if (known.length < spent.length) return undefined
  const fee = sum(known) - paid
  if (fee < 0n) throw new TransactionError('more is paid out than comes in')
  return fee
}

function sum(outputs: readonly BitcoinOutput[]): bigint {
  const total = outputs.reduce((all, { value }) => all + value, 0n)
  if (total > MONEY_MAX) throw new TransactionError('amounts above all the money there is')
  return total
}
