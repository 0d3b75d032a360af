/** How deep a transaction is said to lie: the head's height is asked for less often than transactions are. */
import test from 'ava'
import { shown, type OperationParts } from '../../plugins/gas-relay/operations/operation.ts'
import type { TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'

const document = { _id: 'a', phase: 'confirmed', hashes: [], createdAtMs: 0, updatedAtMs: 0, validUntilMs: 0 }

/** @param blockNumber Of its block; undefined: it is in none. @param height undefined: the chain does not say. */
async function confirmations(blockNumber: bigint | undefined, height: bigint | undefined): Promise<unknown> {
  const inclusion = blockNumber === undefined ? undefined : { blockNumber }
  const parts = {
    sender: () => ({ get: async () => ({ inclusion }) }),
    reads: { height: () => (height === undefined ? Promise.reject(new Error('silent')) : Promise.resolve(height)) },
  } as unknown as OperationParts
  const answer = await shown(parts, document as unknown as TransactionDocument)
  return (answer as { confirmations: number | null }).confirmations
}

test('with its own block and the head, both counted', async (t) => {
  t.is(await confirmations(10n, 10n), 1)
  t.is(await confirmations(10n, 12n), 3)
})

test('0 only while it is in no block', async (t) => {
  t.is(await confirmations(undefined, 12n), 0)
  t.is(await confirmations(10n, 9n), 1)
})

test('null when the chain does not say', async (t) => {
  t.is(await confirmations(10n, undefined), null)
})
