/** Every setting of the relay, as the environment says it: `KEYSTEAD_GAS_RELAY_*`, or `gasRelay:` in the settings file. */
import { getAddress, isAddress, type Address } from 'viem'
import { z } from 'zod'
import { allowlist } from './checks/allowlist.ts'
import { allowedTokens } from './gas-token/allowed-tokens.ts'
import type { GasTokenSettings } from './gas-token/gas-payment.ts'

const count = z
  .string()
  .regex(/^[0-9]{1,9}$/, 'must be a whole number')
  .transform(Number)
const amount = z
  .string()
  .regex(/^[0-9]{1,30}$/, 'must be decimal digits')
  .transform(BigInt)
const optionalAddress = z
  .string()
  .refine((text) => text === '' || isAddress(text), 'must be an address')
  .transform((text): Address | undefined => (text === '' ? undefined : getAddress(text)))
  .prefault('')

export const settingsSchema = z.strictObject({
  /** CAIP-2 of the chain. */
  network: z
    .string()
    .regex(/^eip155:[1-9][0-9]{0,14}$/, 'must be eip155: and the chain id')
    .default('eip155:84532'),
  /** Names of private keys in the operator's organization; none: nothing is sponsored. */
  relayerKeys: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .transform((names) => names.filter((name) => name !== ''))
    .prefault(''),
  /** Sponsored delegates: `<adapter>=<address>=<code hash>`, with commas between. */
  delegates: allowlist.prefault(''),
  /** The one contract that relayer keys call; without it nothing is sponsored. */
  guard: optionalAddress,
  /** Of a batch. */
  callsMax: count.default(20),
  /** Bytes of all call data of a batch. */
  callDataMax: count.default(49_152),
  /** How far ahead a deadline must be, and may be, seconds. */
  deadlineMinS: count.default(30),
  deadlineMaxS: count.default(3_600),
  gasLimitMax: amount.default(5_000_000n),
  /** Wei per gas that is offered at most. */
  feeCeiling: amount.default(100_000_000_000n),
  /** Transactions of one organization under way at once. */
  inFlightMax: count.default(500),
  /** Wei of one deposit. */
  depositMax: amount.default(10n ** 21n),
  /** Tokens that batches may pay for gas in: `<token>=<feed>`, with commas between; none: none is taken. */
  gasTokens: allowedTokens.prefault(''),
  /** Who is paid in tokens; without it none is taken. */
  gasCollector: optionalAddress,
  /** On top of the price in tokens, hundredths of a percent. */
  gasTokenMarkupBps: count.default(1_000),
  /** How old a feed's answer may be, seconds. */
  gasTokenRateAgeMaxS: count.default(3_600),
  /** How many blocks a quote lasts. */
  gasQuoteBlocksMax: count.default(30),
})

export type Settings = z.infer<typeof settingsSchema>

export function gasTokenSettings(settings: Settings): GasTokenSettings {
  return {
    tokens: settings.gasTokens,
    collector: settings.gasCollector,
    markupBps: settings.gasTokenMarkupBps,
    rateAgeMaxS: settings.gasTokenRateAgeMaxS,
    quoteBlocksMax: settings.gasQuoteBlocksMax,
  }
}
