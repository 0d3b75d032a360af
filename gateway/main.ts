/** The gateway process: reads the settings, serves until a signal or until whoever started it is gone. */
import { pino } from 'pino'
import { configOrExit } from './config.ts'
import { startGateway } from './gateway.ts'
import { StartError } from './start-error.ts'

const config = configOrExit()
const logger = pino({ level: config.logLevel, base: { process: 'gateway' } })
const gateway = await startGateway(config, logger).catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error
  console.error(`keystead: ${error.message}`)
  return process.exit(1)
})
logger.info({ baseUrl: gateway.baseUrl }, 'gateway_ready')
process.send?.({ ready: true, baseUrl: gateway.baseUrl })

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  logger.info('gateway_stops')
  await gateway.close()
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void stop())
