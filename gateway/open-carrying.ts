/** The parts that carry activities, put together once for gateways and workers: both must take the same steps. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Ask } from './activities/ask.ts'
import { Carrier } from './activities/carry.ts'
import { Decide } from './activities/decide.ts'
import { Steps } from './activities/steps.ts'
import { Submit } from './activities/submit.ts'
import { Votes } from './activities/votes.ts'
import { signerDeadlineMs, type Config } from './config.ts'
import { openRecords } from './open-records.ts'
import { openQueues } from './queue/open-queues.ts'
import { Receipts } from './receipts/receipts.ts'
import { SignerClient } from './signer-client/signer-client.ts'
import { Simulations } from './simulations/simulations.ts'
import { openStore } from './store/open-store.ts'
import { timestampWindow } from './timestamp-window.ts'

export type Carrying = Awaited<ReturnType<typeof openCarrying>>

/** @param handlesJobs Of a shared queue; one in memory is handled where it is. */
export async function openCarrying(config: Config, logger: Logger, handlesJobs: boolean) {
  const nowMs = Date.now
  const { mongodbUrl, redisUrl, activityHoldMs: holdMs, activitiesUnderWayMax: underWayMax } = config
  const store = await openStore(config)
  const signer = new SignerClient({
    socketPath: join(config.dataDir, 'signer.sock'),
    deadlineMs: signerDeadlineMs(config),
  })
  const receipts = new Receipts(store)
  const { named, records, organizations, subOrganizations, ...made } = openRecords(store, nowMs)
  const steps = new Steps({ store, records, nowMs })
  const ask = new Ask({ signer, named, receipts })
  const decide = new Decide({ ask, steps, votes: new Votes(store), organizations, subOrganizations, nowMs })
  const simulations = new Simulations({ signer, named, organizations })
  const queues = await openQueues(logger, { redisUrl, handlesJobs })
  // The embedded store lets one process at a time have it: what another has leased before us is ours.
  const owner = mongodbUrl === undefined ? 'embedded' : randomUUID()
  const carrier = new Carrier(store, steps, decide, queues, { holdMs, underWayMax, logger, owner, nowMs })
  const checkTimestamp = timestampWindow(config.timestampAgeMaxMs, nowMs)
  const submit = new Submit(store, carrier, { checkTimestamp, nowMs })

  return {
    ...{ store, signer, organizations, subOrganizations, simulations, receipts, made, queues, carrier, submit },
    ...{ checkTimestamp, nowMs },

    /**
     * What former processes have left is carried on from now on, and what others leave.
     * @throws {StartError} when the store is of a former format.
     */
    async start(): Promise<void> {
      await organizations.refuseFormerFormat()
      if (!queues.handlesJobs) return
      const recovered = mongodbUrl === undefined ? await carrier.recover() : 0
      if (recovered > 0) logger.info({ recovered }, 'activities_recovered')
      carrier.startSweeping()
    },

    /** In the order in which they depend on each other. */
    async close(): Promise<void> {
      await carrier.close()
      await queues.close()
      signer.close()
      await store.close()
    },
  }
}
