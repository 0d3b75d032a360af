/** Which tokens pay for gas, and where their rates are read. None allowed: none is taken. */
import { getAddress, type Address } from 'viem'
import { z } from 'zod'

export interface AllowedToken {
  /** ERC-20 that moves exactly what it is told to: none that takes a fee or changes balances by itself. */
  readonly token: Address
  /** Says how much of the token one ETH is worth: AggregatorV3Interface of Chainlink. For dollar tokens, ETH / USD. */
  readonly feed: Address
}

const ENTRY = /^(0x[0-9a-fA-F]{40})=(0x[0-9a-fA-F]{40})$/

/** `0x<token>=0x<feed>`, several with commas between. */
export const allowedTokens = z.string().transform((text, context): AllowedToken[] => {
  const items = text.split(',').map((item) => item.trim())
  return items
    .filter((item) => item !== '')
    .flatMap((item) => {
      const [, token, feed] = ENTRY.exec(item) ?? []
      if (token !== undefined && feed !== undefined) {
        return [{ token: getAddress(token.toLowerCase()), feed: getAddress(feed.toLowerCase()) }]
      }
      context.addIssue({ code: 'custom', message: 'must be <token>=<feed>, with commas between' })
      return []
    })
})
