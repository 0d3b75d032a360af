/** Settings of the scheme: the one token it settles and the keys that pay for it. */
import { z } from 'zod'
import { wholeNumber } from '../../whole-number.ts'

/** The one chain of the specification, and what version 1 calls it: the SDKs' name and the specification's. */
export const NETWORK = 'eip155:84532'
export const NETWORK_NAMES = 'base-sepolia,testnet-sepolia'

const GAS_LIMIT_MAX = 400_000
const GWEI = 1_000_000_000n

/** In any case: a checksum is no difference. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')

export const exactEip155Settings = {
  /** The token's contract; empty: nothing is settled. */
  asset: z.union([z.literal(''), address]).default(''),
  /** Its EIP-712 domain, as the contract has it. */
  assetName: z.string().max(256).default('USDC'),
  assetVersion: z.string().max(256).default('2'),
  /** Names of the private keys in the operator's organization that pay the gas, separated by commas. */
  relayerKeys: z
    .string()
    .default('x402-relayer')
    .transform((names) => names.split(',').filter((name) => name !== '')),
  /** Units: what a transfer that wants more of is refused. */
  gasLimitMax: z
    .string()
    .regex(/^[0-9]{1,8}$/)
    .default(String(GAS_LIMIT_MAX))
    .transform(BigInt),
  /** Wei per gas: nothing is sent for more. */
  feeCeiling: wholeNumber.default(200n * GWEI),
  /** Wei: what is set aside for the data fee of a rollup, on top of the gas. */
  dataFeeMax: wholeNumber.default(2_000n * GWEI),
} as const
