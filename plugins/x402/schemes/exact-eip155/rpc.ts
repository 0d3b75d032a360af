/** Reads of the chain at the pending block: `latest` has the last block's time, which may be long ago. */
import type { Address, Hex, PublicClient } from 'viem'
import { revertOf } from '../../../../gateway/plugin-api.ts'

/** The node did not answer, or said something that is neither a result nor a revert. Says nothing about the payment. */
export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable'
}

export interface Call {
  readonly to: Address
  readonly data: Hex
  readonly from?: Address
}

/** @returns what the call returned, undefined when it reverted. @throws {ChainUnavailable} */
export function call(client: PublicClient, asked: Call): Promise<Hex | undefined> {
  return orUndefined(() => client.request({ method: 'eth_call', params: [asked, 'pending'] }))
}

/** @returns gas units, undefined when it would revert. @throws {ChainUnavailable} */
export async function estimateGas(client: PublicClient, asked: Call): Promise<bigint | undefined> {
  const gas = await orUndefined(() => client.request({ method: 'eth_estimateGas', params: [asked, 'pending'] }))
  return gas === undefined ? undefined : BigInt(gas)
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
