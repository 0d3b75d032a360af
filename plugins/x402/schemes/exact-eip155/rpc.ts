/** Reads of the chain at the pending block: `latest` has the last block's time, which may be long ago. */
import { BaseError, type Address, type Hex, type PublicClient } from 'viem'

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
    if (isRevert(error)) return undefined
    throw new ChainUnavailable()
  }
}

/** Nodes agree on code 3 with data; some say only "execution reverted" under a code of their own. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const found = error.walk((each) => {
    const { code, details = '' } = each as { code?: unknown; details?: string }
    return code === 3 || (typeof code === 'number' && /\brevert(?:ed)?\b/i.test(details))
  })
  return found !== null
}
