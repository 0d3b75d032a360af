/** A price feed as Chainlink's look from outside, put on a local chain at an address of the test's choice. */
import { numberToHex, type Address } from 'viem'
import type { clientOf } from '../local-chain.ts'

/**
 * Answers every call with its first five storage words: `latestRoundData()`, and as `decimals()` reads the first of them,
 * the round's id is 8. For each i from 4 to 0: PUSH1 i, SLOAD, PUSH1 32*i, MSTORE; then PUSH1 160, PUSH0, RETURN.
 */
const FEED_CODE = `0x${[4, 3, 2, 1, 0].map((i) => `60${byte(i)}5460${byte(32 * i)}52`).join('')}60a05ff3` as const
export const FEED_DECIMALS = 8

function byte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** @param answer Of one ETH, with 8 decimals. */
export async function setPriceFeed(
  client: ReturnType<typeof clientOf>,
  address: Address,
  answer: bigint,
  updatedAtS: number,
): Promise<void> {
  // What is set belongs to the last block, and the state of those before it stays as it was.
  await client.mine({ blocks: 1 })
  await client.setCode({ address, bytecode: FEED_CODE })
  const words = [BigInt(FEED_DECIMALS), answer, BigInt(updatedAtS), BigInt(updatedAtS), 8n]
  for (const [index, word] of words.entries()) {
    await client.setStorageAt({
      address,
      index: numberToHex(index, { size: 32 }),
      value: numberToHex(word, { size: 32, signed: word < 0n }),
    })
  }
  await client.mine({ blocks: 1 })
}
