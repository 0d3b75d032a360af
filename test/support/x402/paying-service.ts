/** The whole service with its own chain, and the buyer of `dev.json`. */
import { createPublicClient, http, parseAbi, type Address, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startService, type Service } from '../service.ts'
import type { Answer } from './facilitator.ts'

export interface PayingService {
  service: Service
  /** As payments want it. */
  chain: { token: Address; domain: { name: string; version: string; chainId: number; verifyingContract: Address } }
  buyer: PrivateKeyAccount
  post(route: 'verify' | 'settle', body: object): Promise<Answer>
  balance(of: Address): Promise<bigint>
  /** Transfers out of the buyer's account since the chain began. */
  transfers(): Promise<number>
  dispose(): Promise<void>
}

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
/** The limits of the specification are for strangers. */
const WIDE = '1000000'

export async function startPayingService(environment: Record<string, string> = {}): Promise<PayingService> {
  const wide = ['VERIFY_PER_IP', 'SETTLE_PER_IP', 'SETTLE_PER_PAYER', 'SETTLE_PER_FACILITATOR'].map((name) => [
    `KEYSTEAD_X402_${name}`,
    WIDE,
  ])
  const service = await startService({
    environment: { KEYSTEAD_LOCAL_CHAIN: 'on', ...Object.fromEntries(wide), ...environment },
  })
  const { x402, chain } = service.dev
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const buyer = privateKeyToAccount(x402.buyerPrivateKey)
  const { asset: token, name, version } = x402
  return {
    service,
    chain: { token, domain: { name, version, chainId: chain.chainId, verifyingContract: token } },
    buyer,
    async post(route, body) {
      const answer = await fetch(`${x402.facilitatorUrl}/${route}`, { method: 'POST', body: JSON.stringify(body) })
      return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Answer['json'] }
    },
    balance: (of) => client.readContract({ address: token, abi, functionName: 'balanceOf', args: [of] }),
    async transfers() {
      const args = { from: buyer.address }
      const logs = await client.getContractEvents({ address: token, abi, eventName: 'Transfer', args, fromBlock: 0n })
      return logs.length
    },
    dispose: () => service.dispose(),
  }
}
