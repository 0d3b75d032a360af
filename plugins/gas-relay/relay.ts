/** The parts of the relay, put together. */
import { Counter } from 'prom-client'
import {
  RpcUnavailableError,
  type EvmChain,
  type PluginHost,
  type QueueSpec,
  type Sender,
} from '../../gateway/plugin-api.ts'
import { checkState } from './checks/chain-checks.ts'
import { ChainReads } from './checks/chain-reads.ts'
import { RelayError } from './reasons.ts'
import type { RouteParts } from './routes.ts'
import type { Settings } from './settings.ts'
import { Submit } from './submit.ts'
import { journalSpec } from './tank/journal-entry.ts'
import { tanksSpec } from './tank/tank.ts'
import { observeTanks } from './tank/tank-metrics.ts'
import { Tanks } from './tank/tanks.ts'
import { Authorities, authoritiesSpec } from './transactions/authorities.ts'
import { Carrier } from './transactions/carrier.ts'
import { sweep } from './transactions/sweep.ts'
import { isOver, transactionsSpec } from './transactions/transaction.ts'
import { Transactions } from './transactions/transactions.ts'

export const relaySpecs = [transactionsSpec, authoritiesSpec, tanksSpec, journalSpec]

const queueSpec: QueueSpec = {
  name: 'transactions',
  concurrency: 16,
  attemptsMax: Infinity,
  backOff: { firstMs: 1_000, maxMs: 30_000 },
}

export interface Relay extends RouteParts {
  /** To be called now and then: for what nobody carries any more. @throws {QueueUnavailableError} */
  readonly sweep: () => Promise<void>
}

/** Takes up what a stopped process has left. */
export async function openRelay(host: PluginHost, settings: Settings, chain: EvmChain): Promise<Relay> {
  const nowMs = () => host.nowMs()
  const { logger } = host
  const journal = host.collection(journalSpec)
  const tankDocuments = host.collection(tanksSpec)
  const tanks = new Tanks({ tanks: tankDocuments, journal, nowMs })
  observeTanks(host.metrics, tankDocuments)
  const transactions = new Transactions(host.collection(transactionsSpec), nowMs)
  const authorities = new Authorities(host.collection(authoritiesSpec), async (id) => {
    const holder = await transactions.get(id)
    return holder === undefined || isOver(holder)
  })
  const reads = new ChainReads(chain.client)
  const agreedReads = new ChainReads(chain.agreed)
  const { inFlightMax, relayerKeys, feeCeiling } = settings
  const sender = (): Sender => opened
  const carrier = new Carrier({
    transactions,
    authorities,
    tanks,
    reads: { account: agreedReads, head: reads },
    sender,
    inFlightMax,
    later: (id) => queue.add(id, queueSpec.backOff.firstMs),
    logger,
    nowMs,
  })
  const opened = chain.openSender({
    name: 'gas-relay',
    relayerKeys,
    feeCeiling,
    onChange: (record) => carrier.onChange(record),
    mayStillSend: (id) => mayStillSend(id, transactions, [reads, agreedReads], settings),
  })
  const queue = host.openQueue(queueSpec, (id) => carrier.job(id))
  const sweepNow = () => sweep({ transactions, tanks: tankDocuments, queue })
  const stored = { transactions, authorities, tanks }
  const submit = new Submit({ host, settings, chain, reads, sender, ...stored, carrier, queue, nowMs })
  const documents = { tanks, journal, transactions }
  return { host, settings, submit, carrier, reads, sender, ...documents, count: counter(host), sweep: sweepNow }
}

/**
 * Asked before the first signature, also after a restart: much may have happened since it was checked.
 * @param reads Whose no is asked about at the next one: the first may lag, and nobody takes an end back.
 */
async function mayStillSend(
  id: string,
  transactions: Transactions,
  reads: readonly ChainReads[],
  { network, delegates }: Settings,
): Promise<boolean> {
  const found = await transactions.get(id)
  if (found === undefined || isOver(found) || found.cancelled === true) return false
  // Of the network that was served before: here its authorization is skipped, and the gas would be this one's.
  if (found.network !== network) return false
  const delegate = delegates.find(({ address }) => address === found.delegate)
  if (delegate === undefined) return false
  const { from, batchNonce, authorization } = found
  const signed = authorization && {
    ...authorization,
    nonce: BigInt(authorization.nonce),
    yParity: authorization.yParity as 0 | 1,
  }
  const state = { from, authorization: signed, batch: { nonce: BigInt(batchNonce) } }
  for (const each of reads) {
    try {
      await checkState(each, state, delegate)
      return true
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      // Nobody could say: the engine asks again.
      if (error.reason === 'relay_chain_unavailable') throw new RpcUnavailableError('the chain cannot be reached')
    }
  }
  return false
}

function counter({ metrics }: PluginHost): (route: string, reason: string) => void {
  const answers = new Counter({
    name: 'keystead_gas_relay_answers_total',
    help: 'Answers of the relay by route and reason.',
    labelNames: ['route', 'reason'],
    registers: [metrics],
  })
  return (route, reason) => answers.inc({ route, reason })
}
