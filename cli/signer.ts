/** `npm run signer`: the launcher with its signer hosts, for all gateways and workers of this data folder. */
import { join } from 'node:path'
import { ChildEndedError, startChild } from './child.ts'

const LAUNCHER = join(import.meta.dirname, '../signer-core/launcher/main.ts')

/** A process of its own, which may not be looked into; ends with it, and ends it on a signal. */
export async function runSigner(): Promise<void> {
  const launcher = await startChild(LAUNCHER, await launcherEnvironment()).catch((error: unknown) => {
    if (!(error instanceof ChildEndedError)) throw error
    if (error.exitCode === null) console.error(`keystead: ${error.message}`)
    return process.exit(error.exitCode || 1)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => launcher.process.kill('SIGTERM'))
  await launcher.ended
  process.exitCode = launcher.process.exitCode ?? 1
}

/** The launcher reads no file. Where one is named, what both read is taken from it, as `npm start` does. */
async function launcherEnvironment(): Promise<NodeJS.ProcessEnv> {
  if (process.env['KEYSTEAD_CONFIG'] === undefined) return process.env
  // The code of gateways has no business on the machine of a signer that is set up without it.
  const { configOrExit } = await import('../gateway/config.ts')
  const { dataDir, signerDeadlineMs } = configOrExit()
  return { ...process.env, KEYSTEAD_DATA_DIR: dataDir, KEYSTEAD_SIGNER_DEADLINE_MS: String(signerDeadlineMs) }
}

if (import.meta.main) await runSigner()
