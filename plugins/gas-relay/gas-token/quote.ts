/**
 * What gas costs in a token. A quote is a block: rate and fees are those of its state, so nothing has to be kept, nobody
 * can forge one, and asking again for the same block gives the same price.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi, type Hash, type Hex } from 'viem'
import type { ChainReads } from '../checks/chain-reads.ts'
import { RelayError } from '../reasons.ts'
import type { AllowedToken } from './allowed-tokens.ts'

/** Feed: AggregatorV3Interface of Chainlink. `decimals` is of both. */
const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])
const DECIMALS = encodeFunctionData({ abi, functionName: 'decimals' })
const BPS = 10_000n
const WEI_PER_ETH = 10n ** 18n
/** A token with more has no price that would fit. */
const DECIMALS_MAX = 36

export interface QuoteTerms {
  /** On top of the price, in hundredths of a percent. */
  readonly markupBps: number
  /** How old the feed's answer may be, seconds. */
  readonly rateAgeMaxS: number
  /** How many blocks may follow the quote's. */
  readonly quoteBlocksMax: number
}

export interface Quote {
  /** Names the quote. */
  readonly blockHash: Hash
  /** Of the last block at which it is taken. */
  readonly validUntilBlock: bigint
  /** Of the token. */
  readonly decimals: number
  /** Base units of the token, rounded up. @param gas Units. @param l1Fee Wei. */
  amountOf(gas: bigint, l1Fee: bigint): bigint
}

/**
 * @param blockHash Of a quote that was given; without it a new one is made.
 * @throws {RelayError} `relay_quote_expired`, `relay_gas_token_rate_unavailable`, `relay_chain_unavailable`
 */
export async function quoteAt(
  reads: ChainReads,
  { token, feed }: AllowedToken,
  { markupBps, rateAgeMaxS, quoteBlocksMax }: QuoteTerms,
  nowMs: number,
  blockHash?: Hash,
): Promise<Quote> {
  const head = await reads.block('latest')
  const block = blockHash === undefined ? head : await reads.block(blockHash)
  const blocksMax = BigInt(quoteBlocksMax)
  if (head === undefined) throw new RelayError('relay_chain_unavailable')
  if (block === undefined || block.number + blocksMax < head.number) throw new RelayError('relay_quote_expired')
  const [ofToken, ofFeed, round, tip] = await Promise.all([
    reads.view(token, DECIMALS, block.hash),
    reads.view(feed, DECIMALS, block.hash),
    reads.view(feed, encodeFunctionData({ abi, functionName: 'latestRoundData' }), block.hash),
    reads.tip(block.number),
  ])
  const [decimals, feedDecimals] = [decimalsOf(ofToken), decimalsOf(ofFeed)]
  // As much as the base fee can rise by the next block (EIP-1559); for more there is the markup.
  const feePerGas = (block.baseFee * 9n) / 8n + tip
  const rate = rateOf(round, nowMs, rateAgeMaxS)
  const numerator = rate * 10n ** BigInt(decimals) * (BPS + BigInt(markupBps))
  const denominator = WEI_PER_ETH * 10n ** BigInt(feedDecimals) * BPS
  return {
    blockHash: block.hash,
    validUntilBlock: block.number + blocksMax,
    decimals,
    amountOf: (gas, l1Fee) => ((gas * feePerGas + l1Fee) * numerator + denominator - 1n) / denominator,
  }
}

/** Of one ETH, in the feed's decimals. An answer that nobody has renewed in time is none. */
function rateOf(round: Hex, nowMs: number, ageMaxS: number): bigint {
  if (round.length !== 2 + 5 * 64) throw new RelayError('relay_gas_token_rate_unavailable')
  const [, answer, , updatedAtS] = decodeFunctionResult({ abi, functionName: 'latestRoundData', data: round })
  const isFresh = BigInt(Math.floor(nowMs / 1_000)) <= updatedAtS + BigInt(ageMaxS)
  if (answer <= 0n || !isFresh) throw new RelayError('relay_gas_token_rate_unavailable')
  return answer
}

function decimalsOf(answer: Hex): number {
  if (answer.length < 66) throw new RelayError('relay_gas_token_rate_unavailable')
  const decimals = BigInt(answer.slice(0, 66))
  if (decimals > BigInt(DECIMALS_MAX)) throw new RelayError('relay_gas_token_rate_unavailable')
  return Number(decimals)
}
