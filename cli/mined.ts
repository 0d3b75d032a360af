/**
 * Waits until anvil has mined a transaction of its unlocked account. Anvil 1.7 can leave one in its queue for ever: when
 * the block before is made while it takes it in. Such a one is dropped and sent anew.
 */
import { WaitForTransactionReceiptTimeoutError, type Hash, type TransactionReceipt } from 'viem'

const STRANDED_AFTER_MS = 5_000

interface AnvilClient {
  waitForTransactionReceipt(wanted: { hash: Hash; timeout: number }): Promise<TransactionReceipt>
  getTransactionReceipt(wanted: { hash: Hash }): Promise<TransactionReceipt>
  dropTransaction(dropped: { hash: Hash }): Promise<void>
}

/** @param send Sends it; called again only when the node has let go of the one before. */
export async function mined(client: AnvilClient, send: () => Promise<Hash>): Promise<TransactionReceipt> {
  for (;;) {
    const hash = await send()
    try {
      return await client.waitForTransactionReceipt({ hash, timeout: STRANDED_AFTER_MS })
    } catch (error) {
      if (!(error instanceof WaitForTransactionReceiptTimeoutError)) throw error
    }
    await client.dropTransaction({ hash })
    const late = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (late !== undefined) return late
  }
}
