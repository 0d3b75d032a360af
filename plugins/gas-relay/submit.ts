/**
 * `submit_transaction`. Checks from cheap to dear, nothing stored or set aside before the last one: chain, delegate,
 * signatures, limits, one at a time for the account, anything in the tank, state, fees, simulation, cost, enough in the
 * tank, payment in tokens. Then it is stored, set aside for, and given to the sending engine. What is stored stays for
 * ever, so nobody without money gets that far.
 */
import {
  QueueUnavailableError,
  RpcUnavailableError,
  SenderUnavailableError,
  type EvmChain,
  type PluginHost,
  type Queue,
  type Sender,
  type StampedRequest,
} from '../../gateway/plugin-api.ts'
import { checkState, findDelegate, simulate } from './checks/chain-checks.ts'
import type { ChainReads } from './checks/chain-reads.ts'
import { costMax } from './checks/cost.ts'
import { checkLimits } from './checks/limits.ts'
import { checkRoom } from './checks/room.ts'
import { checkAuthorization, checkBatchSignature } from './checks/signatures.ts'
import { RelayError } from './reasons.ts'
import { allowedToken, checkGasPayment } from './gas-token/gas-payment.ts'
import { gasTokenSettings, type Settings } from './settings.ts'
import { tankId } from './tank/tank.ts'
import type { Tanks } from './tank/tanks.ts'
import type { Authorities } from './transactions/authorities.ts'
import type { Carrier } from './transactions/carrier.ts'
import type { TransactionDocument } from './transactions/transaction.ts'
import type { Transactions } from './transactions/transactions.ts'
import type { Submission, SubmitBody } from './wire/submission.ts'

export interface SubmitParts {
  readonly host: Pick<PluginHost, 'checkTimestamp'>
  readonly settings: Settings
  readonly chain: EvmChain
  readonly reads: ChainReads
  readonly sender: () => Sender
  readonly transactions: Transactions
  readonly authorities: Authorities
  readonly tanks: Pick<Tanks, 'read'>
  readonly carrier: Carrier
  readonly queue: Queue
  readonly nowMs: () => number
}

/** By when the job takes over what a request has begun: the request's own process is usually faster. */
const JOB_DELAY_MS = 2_000

export class Submit {
  private readonly parts: SubmitParts

  constructor(parts: SubmitParts) {
    this.parts = parts
  }

  /**
   * @param stamped Its digest names the transaction: the same body is the same transaction.
   * @throws {RelayError} when nothing was stored, or what was stored is refused.
   * @throws {ApiError} `TIMESTAMP_INVALID`, for a new body.
   */
  async submit(
    { organizationId, digest: requestKey }: Pick<StampedRequest, 'organizationId' | 'digest'>,
    { timestampMs, parameters: submission }: SubmitBody,
  ): Promise<TransactionDocument> {
    const known = await this.known(organizationId, requestKey)
    if (known !== undefined) return known
    this.parts.host.checkTimestamp(timestampMs)
    let document: TransactionDocument
    try {
      document = await this.documentOf(organizationId, requestKey, submission)
    } catch (error) {
      // Perhaps only because the same body is under way, or done, by now: it was stored before it changed anything.
      const twin = error instanceof RelayError ? await this.known(organizationId, requestKey) : undefined
      if (twin !== undefined) return twin
      throw error
    }
    const stored = await this.parts.transactions.insert(document)
    await this.addJob(stored._id)
    return this.carried(stored)
  }

  /** Without the queue the request carries it alone, and the sweep finds what it leaves. */
  private async addJob(id: string): Promise<void> {
    try {
      await this.parts.queue.add(id, JOB_DELAY_MS)
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error
    }
  }

  /** What the same body has made before. */
  private async known(organizationId: string, requestKey: string): Promise<TransactionDocument | undefined> {
    const known = await this.parts.transactions.ofRequest(organizationId, requestKey)
    return known?.phase === 'admitted' ? this.carried(known) : known
  }

  private async carried(document: TransactionDocument): Promise<TransactionDocument> {
    const carried = await this.parts.carrier.carry(document._id).catch(async (error: unknown) => {
      const isLater = error instanceof SenderUnavailableError || error instanceof RpcUnavailableError
      // What is stored is sent later, by the job.
      if (!isLater && !(error instanceof RelayError)) throw error
      return (await this.parts.transactions.get(document._id)) ?? document
    })
    if (carried.phase === 'refused') throw new RelayError(carried.reason ?? 'relay_invalid_request')
    return carried
  }

  private async documentOf(
    organizationId: string,
    requestKey: string,
    submission: Submission,
  ): Promise<TransactionDocument> {
    const { settings, chain, reads, sender, tanks, nowMs } = this.parts
    const { caip2, from, authorization, batch } = submission
    if (caip2 !== settings.network) throw new RelayError('relay_chain_not_supported')
    const [relayer] = await orUnavailable(sender().relayers())
    if (relayer === undefined || settings.guard === undefined) throw new RelayError('relay_relayer_not_configured')
    if (authorization !== undefined) await checkAuthorization(authorization, from, chain.chainId)
    const tokenSettings = gasTokenSettings(settings)
    if (submission.gasPayment !== undefined) allowedToken(tokenSettings, submission.gasPayment.gas_token)
    const delegate = await findDelegate(reads, submission, settings.delegates)
    const limits = { ...settings, callDataBytesMax: settings.callDataMax }
    const validUntilMs = checkLimits(submission, delegate.adapter, limits, settings.guard, nowMs())
    const batchDigest = await checkBatchSignature(delegate.adapter, batch, from, chain.chainId)
    if (!(await this.parts.authorities.isFree(`${caip2}/${from}`))) throw new RelayError('relay_authority_busy')
    const checkTank = async (amount: bigint) =>
      checkRoom(await tanks.read(tankId(organizationId, caip2)), amount, settings.inFlightMax)
    await checkTank(1n)
    const { sendsAuthorization } = await checkState(reads, submission, delegate)
    const { feeCeiling } = await orUnavailable(sender().quoteFees())
    const { guard, gasLimitMax } = settings
    const sponsored = await simulate(reads, submission, delegate, { guard, relayer, sendsAuthorization, gasLimitMax })
    const { most, l1Fee } = await costMax(reads, sponsored, feeCeiling)
    if (submission.maxCost !== undefined && most > submission.maxCost) throw new RelayError('relay_max_cost_too_low')
    await checkTank(most)
    const sent = { ...sponsored, from: relayer, authorization: sendsAuthorization ? authorization : undefined }
    const gasPayment = await checkGasPayment(reads, tokenSettings, submission, sent, { l1Fee, nowMs: nowMs() })
    const { clientReference } = submission
    return {
      _id: crypto.randomUUID(),
      v: 0,
      organizationId,
      requestKey,
      phase: 'admitted',
      network: caip2,
      from,
      delegate: delegate.address,
      adapter: delegate.adapter.name,
      batchDigest,
      batchNonce: String(batch.nonce),
      deadline: String(batch.deadline),
      callCount: batch.calls.length,
      to: sponsored.to,
      data: sponsored.data,
      ...(sendsAuthorization &&
        authorization !== undefined && { authorization: { ...authorization, nonce: Number(authorization.nonce) } }),
      gasLimit: String(sponsored.gasLimit),
      feeCeiling: String(feeCeiling),
      costMax: String(most),
      validUntilMs,
      ...(clientReference !== undefined && { clientReference }),
      ...(gasPayment !== undefined && { gasPayment }),
      hashes: [],
      epoch: 0,
      createdAtMs: nowMs(),
      updatedAtMs: nowMs(),
    }
  }
}

async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RpcUnavailableError) throw new RelayError('relay_chain_unavailable')
    throw error
  }
}
