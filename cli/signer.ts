/** `npm run signer`: the launcher with its signer hosts, for all gateways and workers of this data folder. */
import { join } from 'node:path'
import { startChild } from './child.ts'

const LAUNCHER = join(import.meta.dirname, '../signer-core/launcher/main.ts')

/** A process of its own, which may not be looked into; ends with it, and ends it on a signal. */
export async function runSigner(): Promise<void> {
  const launcher = await startChild(LAUNCHER, process.env)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => launcher.process.kill('SIGTERM'))
  await launcher.ended
  process.exitCode = launcher.process.exitCode ?? 1
}

if (import.meta.main) await runSigner()
