/** The x402 facilitator: verifies payments and settles them, for sellers that speak version 1 or 2. */
import type { Middleware } from 'koa'
import { Counter } from 'prom-client'
import {
  definePlugin,
  describeBug,
  type Plugin,
  type PluginHost,
  type Queue,
  type QueueSpec,
} from '../../gateway/plugin-api.ts'
import { GasBudget, gasBooksSpec } from './budget/gas-budget.ts'
import { Judge } from './judge.ts'
import { Limits } from './limits.ts'
import { policyOf } from './policy/policy.ts'
import { x402Routes } from './routes.ts'
import { schemes as ourSchemes } from './schemes/index.ts'
import type { Scheme, SchemeMember } from './schemes/scheme.ts'
import { Settle } from './settle.ts'
import { settingsSchema, type Settings } from './settings.ts'
import { Carrier } from './settlements/carrier.ts'
import { settlementsSpec } from './settlements/settlement.ts'
import { Settlements } from './settlements/settlements.ts'
import { NetworkNames } from './wire/network-names.ts'

/** A settlement whose engine has news is carried at once; the job is for those that nobody carries any more. */
const queueSpec: QueueSpec = {
  name: 'settlements',
  concurrency: 16,
  attemptsMax: Infinity,
  backOff: { firstMs: 1_000, maxMs: 30_000 },
}

/** How often settlements are looked for that nobody carries any more. */
const SWEEP_MS = 15_000

/** @param schemes Those of the registry, or a test's. */
export function x402Plugin(schemes: readonly SchemeMember[]): Plugin {
  return definePlugin({
    name: 'x402',
    settings: settingsSchema,
    collections: [settlementsSpec, gasBooksSpec],
    async start(host, settings) {
      const parts = open(host, settings)
      for (const member of schemes) {
        const scheme = await member.open(host, settings, parts.carrier)
        if (scheme !== undefined) parts.schemes.push(scheme)
      }
      await sweep(parts, host)
      const timer = setInterval(() => void sweep(parts, host), SWEEP_MS)
      const { schemes: opened, ...rest } = parts
      const names = new NetworkNames(settings.network, settings.networkNames)
      const routes = x402Routes({
        ...rest,
        schemes: opened,
        names,
        trustedProxies: settings.trustedProxies,
        count: counter(host),
      })
      return { routes: routes.routes() as Middleware, close: () => Promise.resolve(clearInterval(timer)) }
    },
  })
}

export const x402 = x402Plugin(ourSchemes)

function open(host: PluginHost, settings: Settings) {
  const nowMs = () => host.nowMs()
  const schemes: Scheme[] = []
  const settlements = new Settlements(host.collection(settlementsSpec), nowMs)
  const caps = { perDay: settings.gasPerDay, per30Days: settings.gasPer30Days }
  const budget = new GasBudget(host.collection(gasBooksSpec), settings.network, caps, nowMs)
  const carrier = new Carrier({
    settlements,
    budget,
    schemeOf: (settlement) =>
      schemes.find(({ scheme, network }) => scheme === settlement.scheme && network === settlement.network),
    logger: host.logger,
  })
  const queue = host.openQueue(queueSpec, (key) => carrier.job(key))
  const judge = new Judge({ policy: policyOf(settings), schemes, settlements, budget })
  const limits = new Limits(host, settings)
  const { settleWaitMs: waitMs } = settings
  const settle = new Settle({ judge, limits, settlements, carrier, queue, waitMs, nowMs })
  return { schemes, settlements, carrier, queue, judge, limits, settle }
}

interface Swept {
  readonly settlements: Settlements
  readonly carrier: Carrier
  readonly queue: Queue
}

/** What a stopped process has left, and what a queue has lost, is taken up again; what fails now, at the next sweep. */
async function sweep({ settlements, carrier, queue }: Swept, host: PluginHost): Promise<void> {
  try {
    await carrier.sweepBudget()
    for (const { _id } of await settlements.unfinished()) await queue.add(_id)
  } catch (error) {
    host.logger.warn(describeBug(error), 'sweep_failed')
  }
}

function counter({ metrics }: PluginHost): (route: string, reason: string) => void {
  const answers = new Counter({
    name: 'keystead_x402_answers_total',
    help: 'Answers of the facilitator by route and reason.',
    labelNames: ['route', 'reason'],
    registers: [metrics],
  })
  return (route, reason) => answers.inc({ route, reason })
}
