/** Stores the signer's log, each chain in order and without a gap, and reads it. */
import type { Backlog, PerformAnswer, Receipt, ReceiptsStored } from '../../signer-core/protocol/messages.ts'
import { receiptsSpec, type ReceiptDocument } from '../documents.ts'
import { SignerUnavailableError } from '../signer-client/signer-client.ts'
import { idCursor } from '../store/find-cursor.ts'
import { DuplicateKeyError } from '../store/store-errors.ts'
import { FIND_LIMIT_MAX, type Collection, type Store } from '../store/store.ts'
import { ChainMarks, type Chain } from './chain-marks.ts'

/** As many digits as the largest whole number has. */
const SEQUENCE_DIGITS = 16

interface Entry extends Receipt {
  activityId: string
  chainId: string
  sequence: number
}

export function receiptIdOf(receipt: Receipt): string {
  const { chainId, sequence } = entryOf(receipt)
  return receiptId(chainId, sequence)
}

function receiptId(chainId: string, sequence: number): string {
  return `${chainId}/${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
}

export class Receipts {
  private readonly collection: Collection<ReceiptDocument>
  private readonly marks = new ChainMarks()

  constructor(store: Store) {
    this.collection = store.collection(receiptsSpec)
  }

  /** What a call to the signer says of this organization's receipts. */
  stored(organizationId: string): ReceiptsStored {
    return this.marks.stored(organizationId)
  }

  /**
   * Stores what came with an answer: the receipts before its own, then its own. Answers of one chain are taken in the
   * order in which they come; each entry is durable before the next is written, so that no crash leaves a gap.
   *
   * @param session Of the call that was answered.
   * @throws {SignerUnavailableError} when a receipt before these is missing here: the answer must not count.
   * @throws {StoreUnavailableError}
   */
  async store(organizationId: string, session: string, backlog: Backlog, answer: PerformAnswer): Promise<void> {
    const own = answer.ok === 'later' ? undefined : answer.ok ? answer.value.receipt : answer.refusal.receipt
    const entries = [...backlog.receipts, ...(own === undefined ? [] : [own])].map(entryOf)
    const chain = this.marks.chain(organizationId, backlog.chainId)
    const turn = chain.idle.then(() => this.append(organizationId, chain, backlog, entries))
    chain.idle = turn.catch(() => undefined)
    try {
      await turn
    } catch (error) {
      this.marks.endSession(session)
      throw error
    }
    // The host waits for marks that we have not got: what it has sent us must have been lost.
    if (answer.ok === 'later' && chain.storedUpTo <= backlog.storedUpTo) this.marks.endSession(session)
  }

  async ofActivity(organizationId: string, activityId: string): Promise<ReceiptDocument[]> {
    const { items } = await this.collection.find({ where: { activityId }, sort: '_id', limit: FIND_LIMIT_MAX })
    return items.filter((each) => each.organizationId === organizationId)
  }

  /** The receipt that vouches for the key with which this one is signed: the first of its chain, maybe itself. */
  async firstOfChain(receipt: ReceiptDocument): Promise<ReceiptDocument | undefined> {
    const { chainId } = entryOf(receipt)
    return this.collection.get(receiptId(chainId, 1))
  }

  /** By chain, then by sequence. Chains begin later than those before them, so that a walk misses no entry of the past. */
  async list(organizationId: string, limit: number, after: string | undefined): Promise<ReceiptDocument[]> {
    const query = { where: { organizationId }, sort: '_id', limit } as const
    const found = await this.collection.find(after === undefined ? query : { ...query, after: idCursor(after, false) })
    return found.items
  }

  private async append(organizationId: string, chain: Chain, backlog: Backlog, entries: Entry[]): Promise<void> {
    let storedUpTo = Math.max(chain.storedUpTo, backlog.storedUpTo)
    for (const { sequence, activityId, text, signature } of entries) {
      if (sequence <= storedUpTo) continue
      if (sequence !== storedUpTo + 1) throw new SignerUnavailableError('a receipt is missing')
      const _id = receiptIdOf({ text, signature })
      const publicKey = sequence === 1 ? backlog.publicKey : backlog.receiptKey
      await this.insertOnce({ _id, v: 0, organizationId, activityId, text, signature, publicKey })
      storedUpTo = sequence
      chain.storedUpTo = sequence
    }
  }

  private async insertOnce(receipt: ReceiptDocument): Promise<void> {
    try {
      await this.collection.insert(receipt)
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error
      const stored = await this.collection.get(receipt._id)
      if (stored?.text !== receipt.text) throw new Error('two receipts for one place of a chain', { cause: error })
    }
  }
}

/** The signer has made the text: it is what `gate/receipt.ts` says. */
function entryOf({ text, signature }: Receipt): Entry {
  const { activityId, chain, sequence } = JSON.parse(text) as {
    activityId: string
    chain: { chainId: string }
    sequence: number
  }
  return { text, signature, activityId, chainId: chain.chainId, sequence }
}
