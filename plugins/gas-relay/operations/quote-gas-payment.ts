import { l1FeeBound } from '../checks/cost.ts'
import { allowedToken } from '../gas-token/gas-payment.ts'
import { quoteAt } from '../gas-token/quote.ts'
import { RelayError } from '../reasons.ts'
import { gasTokenSettings } from '../settings.ts'
import { quoteSchema } from '../wire/requests.ts'
import { read, type Operation } from './operation.ts'

/** What a batch has to pay to the collector for so much gas, as of now. */
export const quoteGasPayment: Operation = async ({ settings, reads, host }, request) => {
  const { caip2 = settings.network, gas_token, gasLimit, dataBytes } = read(quoteSchema, request)
  if (caip2 !== settings.network) throw new RelayError('relay_chain_not_supported')
  const terms = gasTokenSettings(settings)
  const { collector, ...token } = allowedToken(terms, gas_token)
  const [quote, l1Fee] = await Promise.all([quoteAt(reads, token, terms, host.nowMs()), l1FeeBound(reads, dataBytes)])
  return {
    quote_id: quote.blockHash,
    gas_token,
    collector,
    amount: String(quote.amountOf(gasLimit, l1Fee)),
    decimals: quote.decimals,
    valid_until_block: String(quote.validUntilBlock),
  }
}
