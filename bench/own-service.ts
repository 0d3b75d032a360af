import { startService, type Service } from '../test/support/service.ts'
import { endLater, refuseWhileCleaning } from './worker.ts'

/** A quiet service in the folder given. An interrupted bench waits for one that is just starting, and stops it, too. */
export async function startOwnService(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<{ service: Service; stop: () => Promise<void> }> {
  refuseWhileCleaning()
  const starting = startService({ dataDir, environment: { KEYSTEAD_LOG_LEVEL: 'silent', ...environment } })
  const stop = endLater(async () => {
    const service = await starting.catch(() => undefined)
    await service?.stop()
  })
  return { service: await starting, stop }
}
