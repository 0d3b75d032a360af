/** The gas relay: sponsored EIP-7702 transactions against a prepaid tank. */
import { Counter } from 'prom-client'
import {
  definePlugin,
  isEvmChain,
  RpcUnavailableError,
  type EvmChain,
  type PluginHost,
  type QueueSpec,
  type Sender,
} from '../../gateway/plugin-api.ts'
import { checkState } from './checks/chain-checks.ts'
import { ChainReads } from './checks/chain-reads.ts'
import { RelayError } from './reasons.ts'
import { relayRoutes } from './routes.ts'
import { settingsSchema, type Settings } from './settings.ts'
import { Submit } from './submit.ts'
import { journalSpec } from './tank/journal-entry.ts'
import { tanksSpec } from './tank/tank.ts'
import { Tanks } from './tank/tanks.ts'
import { Authorities, authoritiesSpec } from './transactions/authorities.ts'
import { Carrier } from './transactions/carrier.ts'
import { isOver, transactionsSpec } from './transactions/transaction.ts'
import { Transactions } from './transactions/transactions.ts'

const queueSpec: QueueSpec = {
  name: 'transactions',
  concurrency: 16,
  attemptsMax: Infinity,
  backOff: { firstMs: 1_000, maxMs: 30_000 },
}

export const gasRelay = definePlugin({
  name: 'gas-relay',
  settings: settingsSchema,
  collections: [transactionsSpec, authoritiesSpec, tanksSpec, journalSpec],
  async start(host, settings) {
    const chain = host.chains.get(settings.network)
    // Without its chain there is nothing to sponsor, and no route that could only say so.
    if (chain === undefined || !isEvmChain(chain)) return {}
    return { routes: (await open(host, settings, chain)).routes() as never }
  },
})

async function open(host: PluginHost, settings: Settings, chain: EvmChain) {
  const nowMs = () => host.nowMs()
  const { logger } = host
  const journal = host.collection(journalSpec)
  const tanks = new Tanks({ tanks: host.collection(tanksSpec), journal, nowMs })
  const transactions = new Transactions(host.collection(transactionsSpec), nowMs)
  const authorities = new Authorities(host.collection(authoritiesSpec), async (id) => {
    const holder = await transactions.get(id)
    return holder === undefined || isOver(holder)
  })
  const reads = new ChainReads(chain.client)
  const { inFlightMax, relayerKeys, feeCeiling } = settings
  const sender = (): Sender => opened
  const carrier = new Carrier({ transactions, authorities, tanks, reads, sender, inFlightMax, logger, nowMs })
  const opened = chain.openSender({
    name: 'gas-relay',
    relayerKeys,
    feeCeiling,
    onChange: (record) => carrier.onChange(record),
    mayStillSend: (id) => mayStillSend(id, transactions, reads, settings),
  })
  const queue = host.openQueue(queueSpec, (id) => carrier.job(id))
  for (const { _id } of await transactions.underWay()) await queue.add(_id)
  const submit = new Submit({ settings, chain, reads, sender, transactions, authorities, carrier, queue, nowMs })
  return relayRoutes({ host, settings, submit, carrier, reads, tanks, journal, transactions, count: counter(host) })
}

/** Asked before the first signature, also after a restart: much may have happened since it was checked. */
async function mayStillSend(
  id: string,
  transactions: Transactions,
  reads: ChainReads,
  { delegates }: Settings,
): Promise<boolean> {
  const found = await transactions.get(id)
  if (found === undefined || isOver(found) || found.cancelled === true) return false
  const delegate = delegates.find(({ address }) => address === found.delegate)
  if (delegate === undefined) return false
  const { from, batchNonce, authorization } = found
  const signed = authorization && {
    ...authorization,
    nonce: BigInt(authorization.nonce),
    yParity: authorization.yParity as 0 | 1,
  }
  try {
    await checkState(reads, { from, authorization: signed, batch: { nonce: BigInt(batchNonce) } }, delegate)
    return true
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    // Nobody could say: the engine asks again.
    if (error.reason === 'relay_chain_unavailable') throw new RpcUnavailableError('the chain cannot be reached')
    return false
  }
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
