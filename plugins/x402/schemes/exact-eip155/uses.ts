/**
 * By which transaction an authorization was used. It is public once it is sent, and anybody may hand it in: the payee is
 * paid then as well. A cancelled one is used too, and pays nobody.
 */
import { numberToHex, type Hash, type PublicClient } from 'viem'
import type { ExactDetail } from './authorization.ts'
import { available } from './rpc.ts'
import { AUTHORIZATION_USED_TOPIC, hasTransfer, hasUsed, topicOf } from './token.ts'

export interface Use {
  readonly hash: Hash
  readonly blockNumber: bigint
}

/**
 * @param sinceBlock When it was claimed: what was used before is no payment for what is asked now.
 * @returns undefined when no transfer of exactly this authorization is in a block. @throws {ChainUnavailable}
 */
export async function findUse(client: PublicClient, detail: ExactDetail, sinceBlock: bigint): Promise<Use | undefined> {
  const filter = {
    address: detail.asset,
    topics: [AUTHORIZATION_USED_TOPIC, topicOf(detail.from), detail.nonce],
    fromBlock: numberToHex(sinceBlock),
    toBlock: 'latest' as const,
  }
  const logs = await available(() => client.request({ method: 'eth_getLogs', params: [filter] }))
  for (const { transactionHash: hash } of logs) {
    if (hash === null) continue
    const receipt = await available(() => client.getTransactionReceipt({ hash }))
    const paid = receipt.status === 'success' && hasUsed(receipt.logs, detail) && hasTransfer(receipt.logs, detail)
    if (paid) return { hash, blockNumber: receipt.blockNumber }
  }
  return undefined
}
