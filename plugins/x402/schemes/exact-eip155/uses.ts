/**
 * By which transaction an authorization was used. It is public once it is sent, and anybody may hand it in: the payee is
 * paid then as well. A cancelled one is used too, and pays nobody. All is the word of two endpoints: what follows is the end.
 */
import { numberToHex, type Hash } from 'viem'
import type { ExactDetail } from './authorization.ts'
import { available, call } from './rpc.ts'
import { AUTHORIZATION_USED_TOPIC, hasPaid, readWord, topicOf, usedCall, type TokenOnChain } from './token.ts'

export interface Use {
  readonly hash: Hash
  readonly blockNumber: bigint
}

/** Nodes limit how many blocks one question for logs may be about, each as it likes; a longer one would never be answered. */
const BLOCKS_PER_ASK = 500n

/**
 * Whether a block up to this one has it, used or cancelled; the pool of a node may say more, and be wrong.
 * @throws {ChainUnavailable}
 */
export async function isUsedOnChain(
  { agreed, asset }: TokenOnChain,
  { from, nonce }: ExactDetail,
  block: bigint | 'latest',
): Promise<boolean> {
  const at = block === 'latest' ? block : numberToHex(block)
  return readWord(await call(agreed, { to: asset, data: usedCall(from, nonce) }, at)) === 1n
}

/**
 * @param sinceBlock When it was claimed: what was used before is no payment for what is asked now. @param height The last.
 * @returns undefined when no transfer of exactly this authorization is in these blocks. @throws {ChainUnavailable}
 */
export async function findUse(
  token: TokenOnChain,
  detail: ExactDetail,
  sinceBlock: bigint,
  height: bigint,
): Promise<Use | undefined> {
  for (let first = sinceBlock; first <= height; first += BLOCKS_PER_ASK) {
    const last = first + BLOCKS_PER_ASK - 1n < height ? first + BLOCKS_PER_ASK - 1n : height
    const use = await findUseBetween(token, detail, first, last)
    if (use !== undefined) return use
  }
  return undefined
}

async function findUseBetween(
  { agreed }: TokenOnChain,
  detail: ExactDetail,
  first: bigint,
  last: bigint,
): Promise<Use | undefined> {
  const filter = {
    address: detail.asset,
    topics: [AUTHORIZATION_USED_TOPIC, topicOf(detail.from), detail.nonce],
    fromBlock: numberToHex(first),
    toBlock: numberToHex(last),
  }
  const logs = await available(() => agreed.request({ method: 'eth_getLogs', params: [filter] }))
  for (const { transactionHash: hash } of logs) {
    if (hash === null) continue
    const receipt = await available(() => agreed.getTransactionReceipt({ hash }))
    if (receipt.status === 'success' && hasPaid(receipt.logs, detail)) return { hash, blockNumber: receipt.blockNumber }
  }
  return undefined
}
