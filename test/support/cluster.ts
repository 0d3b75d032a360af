/** Processes as in production, each reachable and killable on its own, with proxies on the ways to the databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { Child } from '../../cli/child.ts'
import { devOrganizations } from '../../cli/dev-organizations.ts'
import { signerPublicKey } from '../../cli/operator-client.ts'
import {
  portOf,
  startBacking,
  startGatewayProcess,
  startWorkerProcess,
  stopChild,
  type Backing,
  type GatewayReady,
  type WorkerReady,
} from './distributed.ts'
import { startLauncher, type Launcher } from './launcher.ts'
import type { LoadTarget } from './load.ts'
import { TcpProxy } from './tcp-proxy.ts'

/** A host that is short of processor time is not killed for it. */
const patient = { KEYSTEAD_SIGNER_DEADLINE_MS: '25000' }

export interface ClusterOptions {
  gateways?: number
  workers?: number
  /** Of gateways and workers. */
  environment?: Record<string, string>
  /** Of the first, the second and so on alone, a gateway and a worker each. */
  each?: Record<string, string>[]
  /** Gateways find no signer, so that everything is the workers' business. */
  gatewaysAlone?: boolean
}

export class Cluster {
  readonly gateways: Child<GatewayReady>[] = []
  readonly workers: Child<WorkerReady>[] = []
  readonly backing: Backing
  readonly mongodb: TcpProxy
  readonly redis: TcpProxy
  launcher: Launcher
  private readonly environment: NodeJS.ProcessEnv
  private readonly closing: (() => Promise<void>)[] = []

  private constructor(backing: Backing, mongodb: TcpProxy, redis: TcpProxy, launcher: Launcher, own: object) {
    this.backing = backing
    this.mongodb = mongodb
    this.redis = redis
    this.launcher = launcher
    this.environment = {
      ...process.env,
      KEYSTEAD_LOG_LEVEL: 'silent',
      ...patient,
      ...own,
      KEYSTEAD_DATA_DIR: launcher.dataDir,
      KEYSTEAD_MONGODB_URL: throughProxy(backing.environment.KEYSTEAD_MONGODB_URL, mongodb),
      KEYSTEAD_REDIS_URL: throughProxy(backing.environment.KEYSTEAD_REDIS_URL, redis),
    }
  }

  /** @returns the cluster, and where clients find it. It goes with the test. */
  static async start(t: ExecutionContext, options: ClusterOptions = {}): Promise<{ cluster: Cluster; at: LoadTarget }> {
    const { gateways = 2, workers = 2, gatewaysAlone = false, environment = {}, each = [] } = options
    const [backing, launcher] = await Promise.all([startBacking(), startLauncher({ environment: patient })])
    const { KEYSTEAD_MONGODB_URL: mongodbUrl, KEYSTEAD_REDIS_URL: redisUrl } = backing.environment
    const mongodb = await TcpProxy.listen(portOf(mongodbUrl))
    const redis = await TcpProxy.listen(portOf(redisUrl))
    const cluster = new Cluster(backing, mongodb, redis, launcher, environment)
    t.teardown(() => cluster.dispose())
    const { user } = await devOrganizations(launcher.dataDir, mongodbUrl)
    await Promise.all(Array.from({ length: gateways }, (_, i) => cluster.addGateway(gatewaysAlone, each[i])))
    await Promise.all(Array.from({ length: workers }, (_, i) => cluster.addWorker(cluster.mongodb, each[i])))
    const front = await TcpProxy.listen(...cluster.gateways.map(({ ready }) => portOf(ready.baseUrl)))
    cluster.closing.push(() => front.close())
    const baseUrl = `http://127.0.0.1:${front.port}`
    return { cluster, at: { ...user, baseUrl, signerPublicKey: await signerPublicKey(launcher.dataDir) } }
  }

  async addGateway(alone: boolean, own: Record<string, string> = {}): Promise<void> {
    const environment = { ...this.environment, ...own }
    if (!alone) return void this.gateways.push(await startGatewayProcess(environment))
    const emptyDir = mkdtempSync(join(tmpdir(), 'ks-'))
    this.closing.push(async () => rmSync(emptyDir, { recursive: true, force: true }))
    this.gateways.push(await startGatewayProcess({ ...environment, KEYSTEAD_DATA_DIR: emptyDir }))
  }

  /** @param mongodb Another way to the store than that of the others. @param own Settings of this one alone. */
  async addWorker(mongodb = this.mongodb, own: Record<string, string> = {}): Promise<Child<WorkerReady>> {
    const url = throughProxy(this.backing.environment.KEYSTEAD_MONGODB_URL, mongodb)
    const worker = await startWorkerProcess({ ...this.environment, ...own, KEYSTEAD_MONGODB_URL: url })
    this.workers.push(worker)
    return worker
  }

  /** Starts the launcher again after its end. */
  async restartLauncher(): Promise<void> {
    this.launcher = await startLauncher({ dataDir: this.launcher.dataDir, environment: patient })
  }

  async dispose(): Promise<void> {
    for (const close of this.closing) await close()
    await Promise.all([...this.gateways, ...this.workers].map(stopChild))
    await Promise.all([this.mongodb.close(), this.redis.close()])
    await this.launcher.stop()
    await this.backing.dispose()
  }
}

function throughProxy(url: string, proxy: TcpProxy): string {
  const changed = new URL(url)
  changed.port = String(proxy.port)
  return changed.href
}
