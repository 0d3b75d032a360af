/** The gas relay in development mode: our delegate and guard on the local chain, and a tank to begin with. */
import canonicalize from 'canonicalize'
import { keccak256, parseEther, type Address } from 'viem'
import { readContract } from './contracts.ts'
import type { DevChain } from './dev-chain.ts'
import type { ApiClient } from './api-client.ts'
import { devRelayer } from './dev-relayer.ts'

const RELAYER_KEY = 'gas-relay-relayer'
const TANK_WEI = parseEther('10')

export function relayEnvironment({ delegate, guard }: DevChain): NodeJS.ProcessEnv {
  const codeHash = keccak256(readContract('BatchDelegate').runtimeBytecode)
  return {
    KEYSTEAD_GAS_RELAY_RELAYER_KEYS: RELAYER_KEY,
    KEYSTEAD_GAS_RELAY_DELEGATES: `batch-delegate=${delegate}=${codeHash}`,
    KEYSTEAD_GAS_RELAY_GUARD: guard,
  }
}

export interface DevRelay {
  relayerAddress: Address
  delegateAddress: Address
}

/**
 * Makes and funds the relayer, and fills the tank of the user's organization once.
 * @param operator Of the operator's root. @returns the member of `dev.json`.
 */
export async function devRelay(chain: DevChain, operator: ApiClient, organizationId: string): Promise<DevRelay> {
  const relayerAddress = await devRelayer(operator, RELAYER_KEY)
  await chain.fund(relayerAddress)
  const timestampMs = String(Date.now())
  const deposit = { organizationId, timestampMs, amount: String(TANK_WEI), reference: 'development mode' }
  await operator.post('/admin/relay/deposit', canonicalize(deposit) as string)
  return { relayerAddress, delegateAddress: chain.delegate }
}
