/** The life of a process of ours: settings, start, a signal, an orderly end. */
import { pino, type Logger } from 'pino'
import { configOrExit, type Config } from './config.ts'
import { asStartError, StartError } from './start-error.ts'

/** How long requests and jobs that are under way may take to end. */
export const CLOSE_GRACE_MS = 10_000
/** Whatever hangs after that is cut off: it is as if the process had been killed, which loses nothing. */
const STOP_LIMIT_MS = 3 * CLOSE_GRACE_MS

export interface Running {
  /** Takes no more work, ends what is under way, closes. */
  close: () => Promise<void>
}

/**
 * Serves until a signal, or until the process that started this one is gone.
 * @param start What the process is; its members but `close` are told to whoever started it.
 */
export async function runProcess(
  name: string,
  start: (config: Config, logger: Logger) => Promise<Running>,
  check: (config: Config) => string | undefined = () => undefined,
): Promise<void> {
  const config = configOrExit(check)
  const logger = pino({ level: config.logLevel, base: { process: name } })
  const { close, ...facts } = await start(config, logger).catch((thrown: unknown) => {
    const error = asStartError(thrown)
    if (!(error instanceof StartError)) throw error
    console.error(`keystead: ${error.message}`)
    return process.exit(1)
  })
  logger.info(facts, `${name}_ready`)
  process.send?.({ ready: true, ...facts })

  let stopping = false
  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    logger.info(`${name}_stops`)
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void stop())
}
