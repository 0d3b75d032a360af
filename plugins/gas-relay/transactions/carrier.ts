/**
 * Carries a relay transaction one stored step at a time: the request, the engine's news, the job after a crash. Two at
 * once do no harm: each step is one compare-and-set, and the tank applies each operation once.
 */
import {
  RpcUnavailableError,
  SenderUnavailableError,
  type JobOutcome,
  type PluginHost,
  type Sender,
  type SendRecord,
} from '../../../gateway/plugin-api.ts'
import { delegates } from '../delegates/index.ts'
import { RelayError, type Reason } from '../reasons.ts'
import { tankId } from '../tank/tank.ts'
import type { Tanks } from '../tank/tanks.ts'
import type { Authorities } from './authorities.ts'
import { readEvidence, type EvidenceReads } from './evidence.ts'
import { closingOf, isSent, stillSays, unreadBlock } from './outcome.ts'
import { authorizationList, isOver, type Closing, type TransactionDocument } from './transaction.ts'
import type { Transactions } from './transactions.ts'

export interface CarrierParts {
  readonly transactions: Transactions
  readonly authorities: Authorities
  readonly tanks: Tanks
  readonly reads: EvidenceReads
  readonly sender: () => Sender
  /** Of one organization. */
  readonly inFlightMax: number
  /** Has `job` called. */
  readonly later: (id: string) => Promise<void>
  readonly logger: PluginHost['logger']
  readonly nowMs: () => number
}

export class Carrier {
  private readonly parts: CarrierParts
  private readonly running = new Map<string, Promise<TransactionDocument>>()

  constructor(parts: CarrierParts) {
    this.parts = parts
  }

  /** As far as it goes now. @throws what the store, the chain or the engine throws: it is where it was. */
  carry(id: string): Promise<TransactionDocument> {
    const known = this.running.get(id)
    if (known !== undefined) return known
    const run = this.run(id).finally(() => this.running.delete(id))
    this.running.set(id, run)
    return run
  }

  /** From what is stored now; undefined when chain or engine do not answer: then it is carried later. */
  async carryIfPossible(id: string): Promise<TransactionDocument | undefined> {
    try {
      return await this.carryAnew(id)
    } catch (error) {
      const isLater = error instanceof SenderUnavailableError || error instanceof RpcUnavailableError
      if (isLater || error instanceof RelayError) return undefined
      throw error
    }
  }

  /** The engine tells until this returns. */
  async onChange({ key, state }: SendRecord): Promise<void> {
    try {
      await this.carryAnew(key)
    } catch (error) {
      // Of a new block not every endpoint can tell at once.
      if (state !== 'included' || !(error instanceof RelayError)) throw error
      await this.parts.later(key)
    }
  }

  /** Until the engine has it: from then on the engine tells. */
  async job(id: string): Promise<JobOutcome> {
    const document = await this.carryIfPossible(id)
    if (document === undefined) return 'retry'
    return isOver(document) || (await this.parts.sender().get(id)) !== undefined ? 'done' : 'retry'
  }

  /** A run that began before the news may have looked too early. */
  private async carryAnew(id: string): Promise<TransactionDocument> {
    await this.running.get(id)?.catch(() => undefined)
    return this.carry(id)
  }

  private async run(id: string): Promise<TransactionDocument> {
    for (;;) {
      const document = await this.parts.transactions.get(id)
      if (document === undefined) throw new Error('a relay transaction to carry is not there')
      if (!(await this.step(document))) return document
    }
  }

  /** @returns whether there may be another step. */
  private async step(document: TransactionDocument): Promise<boolean> {
    if (document.phase === 'refused') return this.giveBack(document)
    if (document.phase === 'admitted') return this.admit(document)
    if (document.reopening === true) return this.takeBack(document)
    if (document.closing !== undefined && document.closed !== true) return this.close(document)
    const { sender, nowMs } = this.parts
    const record = await sender().get(document._id)
    if (record !== undefined) return this.follow(document, record)
    if (document.closed === true) return false
    if (document.cancelled === true)
      return this.end(document, { phase: 'failed', cost: '0', failure: 'relay_cancelled' })
    if (nowMs() > document.validUntilMs) return this.end(document, { phase: 'expired', cost: '0' })
    return this.send(document)
  }

  private async admit(document: TransactionDocument): Promise<boolean> {
    const { _id: id, organizationId, network, from, costMax, epoch } = document
    const { authorities, tanks, transactions, inFlightMax } = this.parts
    if (!(await authorities.claim(`${network}/${from}`, id))) return this.refuse(document, 'relay_authority_busy')
    const room = { epoch, amount: BigInt(costMax), countMax: inFlightMax }
    const reserved = await tanks.reserve(tankId(organizationId, network), id, room)
    if (reserved === 'too_little') return this.refuse(document, 'relay_insufficient_balance')
    if (reserved === 'too_many') return this.refuse(document, 'relay_too_many_in_flight')
    const admitted = await transactions.replace(document, { phase: 'pending' })
    if (admitted !== undefined)
      this.parts.logger.info({ transaction: id, organizationId, costMax }, 'relay_transaction_admitted')
    return true
  }

  /** Gives the body back: sent again, it is a new transaction. */
  private async refuse(document: TransactionDocument, reason: Reason): Promise<boolean> {
    await this.parts.transactions.replace(document, { phase: 'refused', requestKey: document._id, reason })
    return true
  }

  /** Of two who admit one row, one may find no room and the other some: what the second has set aside is given back. */
  private async giveBack({ _id: id, organizationId, network, epoch }: TransactionDocument): Promise<boolean> {
    const { tanks } = this.parts
    const tank = tankId(organizationId, network)
    // A release is done once: not before there is something to release.
    if (Object.hasOwn((await tanks.read(tank)).reservations, id)) await tanks.release(tank, id, epoch)
    return false
  }

  private async send(document: TransactionDocument): Promise<boolean> {
    const { _id: key, to, data, gasLimit, feeCeiling, validUntilMs, from: affinity } = document
    const list = authorizationList(document)
    const limits = { gasLimit: BigInt(gasLimit), feeCeiling: BigInt(feeCeiling), validUntilMs }
    const request = { key, to, data, ...limits, affinity }
    await this.parts.sender().send(list === undefined ? request : { ...request, authorizationList: list })
    return true
  }

  private async follow(document: TransactionDocument, record: SendRecord): Promise<boolean> {
    const adapter = delegates.find(({ name }) => name === document.adapter)
    if (adapter === undefined) throw new Error('the adapter of a relay transaction is gone')
    const { reads, sender, transactions } = this.parts
    if (document.closed === true) return stillSays(record, document.closing) ? false : this.reopen(document)
    const closing = closingOf(document, record, adapter)
    if (closing !== undefined) return this.end(document, closing)
    if (document.cancelled === true) await sender().cancel(document._id)
    const { hashes, from: relayer } = record
    const phase = document.phase === 'pending' && isSent(record) ? 'broadcasted' : document.phase
    if (phase !== document.phase || hashes.length !== document.hashes.length) {
      const sent = { phase, hashes: [...hashes], ...(relayer !== undefined && { relayer }) }
      await transactions.replace(document, sent)
      this.parts.logger.info({ transaction: document._id, hash: hashes.at(-1) }, 'relay_transaction_sent')
      return true
    }
    const unread = unreadBlock(document, record)
    if (unread === undefined) return false
    await transactions.replace(document, { evidence: await readEvidence(document, adapter, unread, reads) })
    return true
  }

  private async end(document: TransactionDocument, closing: Closing): Promise<boolean> {
    await this.parts.transactions.replace(document, { closing })
    return true
  }

  /** The tank is told what was stored, so that the same is told after a crash. */
  private async close(document: TransactionDocument): Promise<boolean> {
    const { _id: id, organizationId, network, epoch, closing } = document
    if (closing === undefined) return false
    const { tanks, transactions, logger } = this.parts
    const cost = BigInt(closing.cost)
    const tank = tankId(organizationId, network)
    if (cost > 0n) await tanks.settle(tank, id, epoch, cost)
    else await tanks.release(tank, id, epoch)
    const hashes =
      closing.gas === undefined || document.hashes.includes(closing.gas.hash)
        ? document.hashes
        : [...document.hashes, closing.gas.hash]
    await transactions.replace(document, { phase: closing.phase, hashes, closed: true })
    logger.info({ transaction: id, phase: closing.phase, failure: closing.failure }, 'relay_transaction_closed')
    return true
  }

  /** The block that ended it is gone. Stored first: should it come back meanwhile, it is settled again all the same. */
  private async reopen(document: TransactionDocument): Promise<boolean> {
    await this.parts.transactions.replace(document, { reopening: true })
    return true
  }

  private async takeBack(document: TransactionDocument): Promise<boolean> {
    const { _id: id, organizationId, network, epoch, closing } = document
    const { tanks, transactions, logger } = this.parts
    if (closing !== undefined && closing.cost !== '0') await tanks.reverse(tankId(organizationId, network), id, epoch)
    await transactions.replace(document, { epoch: epoch + 1 }, ['closing', 'closed', 'reopening'])
    logger.warn({ transaction: id, epoch: epoch + 1 }, 'relay_transaction_reorganized')
    return true
  }
}
