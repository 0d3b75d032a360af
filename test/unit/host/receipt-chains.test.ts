/** Heads and what is sent along: what a session gets, what marks free, what is dropped when there is too much. */
import { createHash, randomUUID } from 'node:crypto'
import test from 'ava'
import { ReceiptChain, ReceiptChains, UNSTORED_PER_CHAIN_MAX } from '../../../signer-core/host/receipt-chains.ts'
import type { Receipt } from '../../../signer-core/protocol/messages.ts'

const digest = new Uint8Array(32).fill(1)
const receiptOf = (number: number): Receipt => ({ text: `receipt ${number}`, signature: '' })
const textsOf = (receipts: Receipt[]) => receipts.map((each) => Number(each.text.slice(8)))

function chainOf(length: number): ReceiptChain {
  const chain = new ReceiptChain(1n)
  for (let i = 1; i <= length; i++) chain.append(receiptOf(i))
  return chain
}

test('each place names the receipt before it', (t) => {
  const chain = new ReceiptChain(5n)
  const first = chain.next(digest)
  t.like(first, { startedAtMs: 5n, sequence: 1n, componentDigest: digest })
  t.deepEqual(Buffer.from(first.previous), Buffer.alloc(32))
  t.deepEqual(chain.next(digest), first, 'without a receipt the place stays free')
  chain.append(receiptOf(1))
  const second = chain.next(digest)
  t.is(second.sequence, 2n)
  t.is(second.chainId, first.chainId)
  t.deepEqual(Buffer.from(second.previous), createHash('sha256').update('receipt 1').digest())
})

test('a session is sent everything once, another session everything that is not stored', (t) => {
  const chain = chainOf(3)
  const [a, b] = [randomUUID(), randomUUID()]
  t.deepEqual(textsOf(chain.backlog(a, true).receipts), [1, 2], 'the own receipt goes in the answer itself')
  chain.append(receiptOf(4))
  t.deepEqual(textsOf(chain.backlog(a, true).receipts), [])
  t.deepEqual(textsOf(chain.backlog(b, true).receipts), [1, 2, 3])
  chain.forgetStored([{ chainId: chain.chainId, sequence: 2 }])
  chain.append(receiptOf(5))
  t.deepEqual(textsOf(chain.backlog(b, true).receipts), [])
  t.deepEqual(textsOf(chain.backlog(undefined, true).receipts), [3, 4])
  t.deepEqual(textsOf(chain.backlog(undefined, true).receipts), [3, 4], 'without a session nothing is remembered')
  t.deepEqual(textsOf(chain.backlog(randomUUID(), false).receipts), [3, 4, 5])
  t.is(chain.backlog(a, false).storedUpTo, 2)
})

test('a session that was forgotten among many is sent everything again', (t) => {
  const chain = chainOf(2)
  const first = randomUUID()
  chain.backlog(first, false)
  for (let i = 0; i < 63; i++) chain.backlog(randomUUID(), false)
  t.deepEqual(textsOf(chain.backlog(first, false).receipts), [])
  for (let i = 0; i < 64; i++) chain.backlog(randomUUID(), false)
  t.deepEqual(textsOf(chain.backlog(first, false).receipts), [1, 2])
})

test('marks count for this chain, forwards, and up to what was issued', (t) => {
  const chain = chainOf(5)
  const { chainId } = chain
  const left = () => textsOf(chain.backlog(undefined, false).receipts)
  chain.forgetStored([
    { chainId: randomUUID(), sequence: 5 },
    { chainId, sequence: 6 },
    { chainId, sequence: Number.MAX_SAFE_INTEGER },
  ])
  t.deepEqual(left(), [1, 2, 3, 4, 5])
  chain.forgetStored([{ chainId, sequence: 3 }])
  t.deepEqual(left(), [4, 5])
  chain.forgetStored([
    { chainId, sequence: 2 },
    { chainId, sequence: 3 },
  ])
  t.deepEqual(left(), [4, 5])
  chain.forgetStored([{ chainId, sequence: 5 }])
  t.is(chain.unstoredCount, 0)
  t.is(chain.next(digest).sequence, 6n)
})

test('an organization keeps its chain, and gets a fresh one when it was dropped: no place is given twice', (t) => {
  const chains = new ReceiptChains(() => 1n)
  const [first, ...rest] = Array.from({ length: 4_097 }, () => randomUUID())
  const own = chains.of(first as string)
  t.not(chains.of(first as string).chainId, own.chainId, 'a chain without a receipt is not kept')
  chains.append(first as string, own, receiptOf(1))
  for (const id of rest.slice(1)) chains.append(id, chains.of(id), receiptOf(1))
  t.is(chains.of(first as string), own, '4,096 fit')
  const last = rest[0] as string
  chains.append(last, chains.of(last), receiptOf(1))
  const fresh = chains.of(first as string)
  t.not(fresh.chainId, own.chainId)
  t.is(fresh.next(digest).sequence, 1n)
  t.is(chains.of(rest[1] as string).next(digest).sequence, 2n, 'only the one used least lately')
})

test('what is not stored is bounded over all organizations, never at the cost of the one that is served', (t) => {
  const chains = new ReceiptChains(() => 1n)
  const ids = Array.from({ length: 17 }, () => randomUUID())
  for (const id of ids) {
    for (let i = 0; i < UNSTORED_PER_CHAIN_MAX; i++) chains.append(id, chains.of(id), receiptOf(i))
  }
  t.deepEqual(
    ids.map((id) => chains.of(id).unstoredCount),
    [0, ...Array.from({ length: 16 }, () => UNSTORED_PER_CHAIN_MAX)],
  )
})
