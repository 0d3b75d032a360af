/** What a worker listens on beside its work. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { loadConfig } from '../../../gateway/config.ts'
import { startWorker } from '../../../gateway/worker.ts'

/** On an embedded store and without a signer: nothing is carried here. */
async function workerWith(t: ExecutionContext, environment: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-worker-'))
  const worker = await startWorker(
    loadConfig({ ...environment, KEYSTEAD_DATA_DIR: dataDir }),
    pino({ level: 'silent' }),
  )
  t.teardown(async () => {
    await worker.close()
    rmSync(dataDir, { recursive: true })
  })
  return worker
}

test('metrics are read where the worker’s own setting says, and its health elsewhere', async (t) => {
  const { metricsUrl, healthUrl } = await workerWith(t, {
    KEYSTEAD_WORKER_METRICS_PORT: '0',
    KEYSTEAD_WORKER_HEALTH_PORT: '0',
  })
  const metrics = await fetch(`${metricsUrl}/metrics`)
  t.is(metrics.status, 200)
  t.regex(await metrics.text(), /^# TYPE keystead_x402_\w+ /m)
  t.is((await fetch(`${metricsUrl}/readyz`)).status, 404)
  t.is((await fetch(`${healthUrl}/healthz`)).status, 200)
  t.is((await fetch(`${healthUrl}/metrics`)).status, 404)
})

test('a worker that is told nothing listens nowhere, the gateway’s port on the same machine included', async (t) => {
  const worker = await workerWith(t, { KEYSTEAD_METRICS_PORT: '0' })
  t.is(worker.metricsUrl, undefined)
  t.is(worker.healthUrl, undefined)
})
