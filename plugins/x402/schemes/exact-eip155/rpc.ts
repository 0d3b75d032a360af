/** Reads of the chain at the pending block: `latest` has the last block's time, which may be long ago. */
import { hexToBigInt, isHex, type Address, type Hex, type PublicClient } from 'viem'
import { revertOf } from '../../../../gateway/plugin-api.ts'

/** The node did not answer, or said something that is neither a result nor a revert. Says nothing about the payment. */
export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable'
}

export interface Call {
  readonly to: Address
  readonly data: Hex
  readonly from?: Address
  /** Units, at most. */
  readonly gas?: Hex
}

type Block = 'pending' | 'latest' | Hex

/** @returns what the call returned, undefined when it reverted. @throws {ChainUnavailable} */
export async function call(client: PublicClient, asked: Call, block: Block = 'pending'): Promise<Hex | undefined> {
  return checkedHex(await orUndefined(() => client.request({ method: 'eth_call', params: [asked, block] })))
}

/** @returns gas units, undefined when it would revert. @throws {ChainUnavailable} */
export async function estimateGas(client: PublicClient, asked: Call): Promise<bigint | undefined> {
  const asks = () => client.request({ method: 'eth_estimateGas', params: [asked, 'pending'] })
  const gas = checkedHex(await orUndefined(asks))
  if (gas === '0x') throw new ChainUnavailable()
  return gas === undefined ? undefined : hexToBigInt(gas)
}

/** An answer of another shape says nothing. */
function checkedHex(value: unknown): Hex | undefined {
  if (value === undefined || isHex(value)) return value
  throw new ChainUnavailable()
}

/** @throws {ChainUnavailable} */
export async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw new ChainUnavailable()
  }
}

async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (revertOf(error) !== undefined) return undefined
    throw new ChainUnavailable()
  }
}
