/** A service whose gateway and launcher are real processes with a proxy on the socket between them. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../cli/child.ts'
import { devOrganizations, type DevOrganizations } from '../../cli/dev-organizations.ts'
import { startLauncher, type Launcher } from './launcher.ts'
import { SignerProxy } from './signer-proxy.ts'

export interface DividedService {
  baseUrl: string
  dataDir: string
  organizations: DevOrganizations
  launcher: Launcher
  proxy: SignerProxy
  dispose(): Promise<void>
}

/** One signer host, so that all calls meet the same one. @param environment Settings of the gateway. */
export async function startDividedService(environment: Record<string, string> = {}): Promise<DividedService> {
  const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
  const { dataDir } = launcher
  const organizations = await devOrganizations(dataDir)
  const proxy = await SignerProxy.listen(dataDir)
  const gateway = await startChild<{ baseUrl: string }>(join(import.meta.dirname, '../../gateway/main.ts'), {
    ...process.env,
    KEYSTEAD_LOG_LEVEL: 'silent',
    ...environment,
    KEYSTEAD_DATA_DIR: dataDir,
    KEYSTEAD_PORT: '0',
  })
  return {
    baseUrl: gateway.ready.baseUrl,
    dataDir,
    organizations,
    launcher,
    proxy,
    async dispose() {
      gateway.process.kill('SIGTERM')
      await gateway.ended
      await proxy.close()
      await launcher.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
