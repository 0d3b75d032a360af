/** Every setting of the facilitator, as the environment says it: `KEYSTEAD_X402_*`, or `x402:` in the settings file. */
import { z } from 'zod'
import { address, exactEip155Settings, NETWORK, NETWORK_NAMES } from './schemes/exact-eip155/settings.ts'
import { wholeNumber } from './whole-number.ts'
import { networkName } from './wire/fields.ts'

/** The specification's limits. */
const LIMITS = {
  amountMin: 10_000n,
  amountMax: 10_000_000n,
  gasPerDay: 20_000_000_000_000_000n,
  gasPer30Days: 100_000_000_000_000_000n,
} as const

const items = z.string().transform((text) => text.split(',').map((item) => item.trim()))
const list = items.transform((all) => all.filter((item) => item !== ''))
/** A longer one would never be read. */
const networks = list.refine(
  (all) => all.every((item) => networkName.safeParse(item).success),
  'must be names of at most 64 characters',
)
/** Never empty: that could be read as nobody and as anybody. */
const addresses = items.refine(
  (all) => all.every((item) => address.safeParse(item).success),
  'must be addresses; leave it out to allow anybody',
)
const count = z
  .string()
  .regex(/^[0-9]{1,9}$/, 'must be a whole number')
  .transform(Number)
/** A limiter lets one through at least: to refuse everybody is the policy's. */
const limit = count.pipe(z.number().min(1, 'must be at least 1'))
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const settingsSchema = z.strictObject({
  ...exactEip155Settings,
  /** CAIP-2 of the chain. */
  network: z
    .string()
    .regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'must be a CAIP-2 identifier')
    .default(NETWORK),
  /** What version 1 calls it; the first is what we call it ourselves. */
  networkNames: networks.prefault(NETWORK_NAMES),
  /** The policy. Nothing is verified or settled until it is enabled. */
  policyEnabled: flag.default(false),
  /** Who may be paid; left out: anybody. */
  payees: addresses.optional(),
  /** Base units of the asset, of one settlement. */
  amountMin: wholeNumber.default(LIMITS.amountMin),
  amountMax: wholeNumber.default(LIMITS.amountMax),
  /** What all settlements may cost the operator in any 24 hours and in any 30 days, in the chain's smallest unit. */
  gasPerDay: wholeNumber.default(LIMITS.gasPerDay),
  gasPer30Days: wholeNumber.default(LIMITS.gasPer30Days),
  /** Requests a minute. */
  verifyPerIp: limit.default(60),
  settlePerIp: limit.default(20),
  settlePerPayer: limit.default(5),
  settlePerFacilitator: limit.default(60),
  /** How many proxies in front of us add to X-Forwarded-For; 0: the header is not looked at. */
  trustedProxies: count.default(0),
  /** How long an answer to settle waits for the block. */
  settleWaitMs: count.default(20_000),
})

export type Settings = z.infer<typeof settingsSchema>
