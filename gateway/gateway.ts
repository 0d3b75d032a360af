/** Puts the parts of a gateway together. The order of closing is the reverse of the way of a request. */
import type { Logger } from 'pino'
import { Submit } from './activities/submit.ts'
import type { Config } from './config.ts'
import { activitiesSpec } from './documents.ts'
import { createApp } from './http/app.ts'
import { baseUrlOf, listen, stopListening } from './http/server.ts'
import { openCarrying } from './open-carrying.ts'
import { CLOSE_GRACE_MS, type Running } from './run-process.ts'

export async function startGateway(config: Config, logger: Logger): Promise<Running & { baseUrl: string }> {
  const carrying = openCarrying(config, logger, false)
  const { store, signer, organizations, receipts, made, queues, carrier, nowMs } = carrying
  const submit = new Submit(store, carrier, { timestampAgeMaxMs: config.timestampAgeMaxMs, nowMs })
  const activities = store.collection(activitiesSpec)
  const app = createApp({ store, signer, queues, logger, submit, organizations, ...made, receipts, activities, nowMs })
  await carrying.start()
  const server = await listen(app, config.host, config.port)
  return {
    baseUrl: baseUrlOf(server),
    async close() {
      await stopListening(server, CLOSE_GRACE_MS)
      await carrying.close()
    },
  }
}
