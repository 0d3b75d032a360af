/**
 * Buys what `seller.ts` sells, with the published client of x402. `node buyer.mjs [url] [dev.json]`; needs
 * `npm install --legacy-peer-deps` in this folder. The buyer has tokens and no ETH.
 */
import { readFileSync } from 'node:fs'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch'

const [url = 'http://127.0.0.1:4021/weather', path = '../../data/dev.json'] = process.argv.slice(2)
const { x402, chain } = JSON.parse(readFileSync(path, 'utf8'))

const account = privateKeyToAccount(x402.buyerPrivateKey)
const wallet = createWalletClient({ account, chain: baseSepolia, transport: http(chain.rpcUrl) })
const answer = await wrapFetchWithPayment(fetch, wallet)(url)
console.log(answer.status, await answer.json())
const receipt = answer.headers.get('X-PAYMENT-RESPONSE')
if (receipt !== null) console.log(decodeXPaymentResponse(receipt))
