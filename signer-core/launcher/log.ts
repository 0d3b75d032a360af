/** One JSON line per event on stderr: event codes, numbers and texts of our own, never payloads or secrets. */
export type Level = 'info' | 'warn' | 'error' | 'fatal'
export type Facts = Record<string, number | string | boolean | null>

export function log(level: Level, event: string, facts: Facts = {}): void {
  process.stderr.write(`${JSON.stringify({ level, time: Date.now(), event, ...facts })}\n`)
}

/** Why the launcher cannot start. The message is for the operator. */
export class StartError extends Error {
  override name = 'StartError'
  readonly event: string
  readonly exitCode: number
  constructor(event: string, message: string, exitCode = 1) {
    super(message)
    this.event = event
    this.exitCode = exitCode
  }
}
