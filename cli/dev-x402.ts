/** Payments in development mode: the facilitator settles the test token of the local chain, and a buyer has some. */
import type { Address } from 'viem'
import type { ApiClient } from './api-client.ts'
import type { DevChain } from './dev-chain.ts'
import { devRelayer } from './dev-relayer.ts'

const RELAYER_KEY = 'x402-relayer'
const NETWORK = 'base-sepolia'
/** The caps of the specification are spent after some two hundred settlements at this chain's fees. */
const GAS_WEI = '10000000000000000000'

export function x402Environment({ token }: DevChain): NodeJS.ProcessEnv {
  return {
    KEYSTEAD_X402_ASSET: token.address,
    KEYSTEAD_X402_ASSET_NAME: token.name,
    KEYSTEAD_X402_ASSET_VERSION: token.version,
    KEYSTEAD_X402_RELAYER_KEYS: RELAYER_KEY,
    KEYSTEAD_X402_POLICY_ENABLED: 'true',
    KEYSTEAD_X402_GAS_PER_DAY: GAS_WEI,
    KEYSTEAD_X402_GAS_PER_30_DAYS: GAS_WEI,
  }
}

export interface DevX402 {
  facilitatorUrl: string
  network: string
  asset: Address
  name: string
  version: string
  relayerAddress: Address
  buyerPrivateKey: string
}

/** Makes and funds the relayer. @returns the member of `dev.json`. */
export async function devX402(chain: DevChain, baseUrl: string, operator: ApiClient): Promise<DevX402> {
  const relayerAddress = await devRelayer(operator, RELAYER_KEY)
  await chain.fund(relayerAddress)
  const { address: asset, name, version } = chain.token
  const facilitatorUrl = `${baseUrl}/x402/v1`
  const buyerPrivateKey = chain.buyer.privateKey
  return { facilitatorUrl, network: NETWORK, asset, name, version, relayerAddress, buyerPrivateKey }
}
