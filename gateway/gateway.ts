/** Puts the parts together. The order of closing is the reverse of the way of a request. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Ask } from './activities/ask.ts'
import { Carrier } from './activities/carry.ts'
import { Decide } from './activities/decide.ts'
import { Steps } from './activities/steps.ts'
import { Submit } from './activities/submit.ts'
import { Votes } from './activities/votes.ts'
import type { Config } from './config.ts'
import { activitiesSpec } from './documents.ts'
import { createApp } from './http/app.ts'
import { baseUrlOf, listen, stopListening } from './http/server.ts'
import { openRecords } from './open-records.ts'
import { listenForOperator } from './operator/operator-socket.ts'
import { openQueues } from './queue/open-queues.ts'
import { Receipts } from './receipts/receipts.ts'
import { SignerClient } from './signer-client/signer-client.ts'
import { Simulations } from './simulations/simulations.ts'
import { openStore } from './store/open-store.ts'

/** The launcher answers within its deadline and its queue's, 10 s each unless set otherwise. */
const SIGNER_DEADLINE_MS = 30_000
const CLOSE_GRACE_MS = 10_000

export interface Gateway {
  baseUrl: string
  close(): Promise<void>
}

export async function startGateway(config: Config, logger: Logger): Promise<Gateway> {
  const nowMs = Date.now
  const store = openStore(config)
  const signer = new SignerClient({ socketPath: join(config.dataDir, 'signer.sock'), deadlineMs: SIGNER_DEADLINE_MS })
  const receipts = new Receipts(store)
  const { named, records, organizations, subOrganizations, ...made } = openRecords(store, nowMs)
  const steps = new Steps({ store, records, nowMs })
  const ask = new Ask({ signer, named, receipts })
  const decide = new Decide({ ask, steps, votes: new Votes(store), organizations, subOrganizations, nowMs })
  const simulations = new Simulations({ signer, named, organizations })
  const queues = openQueues(logger)
  const { activityHoldMs: holdMs, activitiesUnderWayMax: underWayMax } = config
  const carrier = new Carrier(store, steps, decide, queues, { holdMs, underWayMax, logger })
  const submit = new Submit(store, carrier, { timestampAgeMaxMs: config.timestampAgeMaxMs, nowMs })
  const activities = store.collection(activitiesSpec)
  const app = createApp({
    store,
    signer,
    logger,
    submit,
    organizations,
    subOrganizations,
    simulations,
    ...made,
    receipts,
    activities,
    nowMs,
  })

  await organizations.refuseFormerFormat()
  const recovered = await carrier.recover()
  if (recovered > 0) logger.info({ recovered }, 'activities_recovered')
  const operator = await listenForOperator(join(config.dataDir, 'gateway.sock'), organizations)
  const server = await listen(app, config.host, config.port)
  return {
    baseUrl: baseUrlOf(server),
    async close() {
      await Promise.all([server, operator].map((each) => stopListening(each, CLOSE_GRACE_MS)))
      await carrier.close()
      await queues.close()
      signer.close()
      await store.close()
    },
  }
}
