/** The production backing for tests: MongoDB's protocol, Redis, two gateways, two workers, one launcher. */
import { join } from 'node:path'
import { startChild, type Child } from '../../cli/child.ts'
import { startMongodb, type MongodbServer } from './mongodb-server.ts'
import { startRedis, type RedisServer } from './redis-server.ts'
import { TcpProxy } from './tcp-proxy.ts'

const rootPath = join(import.meta.dirname, '../..')

export interface Backing {
  mongodb: MongodbServer
  redis: RedisServer
  /** Settings of every process that is to use it. */
  environment: { KEYSTEAD_MONGODB_URL: string; KEYSTEAD_REDIS_URL: string }
  dispose(): Promise<void>
}

export async function startBacking(): Promise<Backing> {
  const [mongodb, redis] = await Promise.all([startMongodb(), startRedis()])
  return {
    mongodb,
    redis,
    environment: { KEYSTEAD_MONGODB_URL: mongodb.url(`ks${process.pid}x${Date.now()}`), KEYSTEAD_REDIS_URL: redis.url },
    async dispose() {
      await Promise.all([mongodb.dispose(), redis.dispose()])
    },
  }
}

export interface GatewayReady {
  baseUrl: string
}

export interface WorkerReady {
  /** Where it was given a port for that. */
  healthUrl?: string
}

/** @param environment Of the process, as a whole. */
export function startGatewayProcess(environment: NodeJS.ProcessEnv): Promise<Child<GatewayReady>> {
  return startChild<GatewayReady>(join(rootPath, 'gateway/main.ts'), { ...environment, KEYSTEAD_PORT: '0' })
}

export function startWorkerProcess(environment: NodeJS.ProcessEnv): Promise<Child<WorkerReady>> {
  return startChild<WorkerReady>(join(rootPath, 'gateway/worker-main.ts'), environment)
}

export async function stopChild({ process: child, ended }: Child<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  await ended
}

export function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port)
}

/** A second gateway and a second worker beside those of a running service, and one address for both gateways. */
export async function widen(baseUrl: string, environment: NodeJS.ProcessEnv) {
  const quiet = { ...environment, KEYSTEAD_LOG_LEVEL: 'silent' }
  const [gateway, worker] = await Promise.all([startGatewayProcess(quiet), startWorkerProcess(quiet)])
  const proxy = await TcpProxy.listen(portOf(baseUrl), portOf(gateway.ready.baseUrl))
  return {
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    async close() {
      await proxy.close()
      await Promise.all([stopChild(gateway), stopChild(worker)])
    },
  }
}
