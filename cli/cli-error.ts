/** Exit codes: what was asked for was done; it was not, or the answer is no; it was asked for in a wrong way. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const

/** What the command line tells its user, in one sentence. Anything else that is thrown is a bug. */
export class CliError extends Error {
  override name = 'CliError'
  readonly exitCode: number
  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
