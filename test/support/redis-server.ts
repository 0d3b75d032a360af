/** A real Redis for tests: `KEYSTEAD_TEST_REDIS_URL`, or `redis-server` from the PATH with an append-only file. */
import { isOnPath, ServerProcess } from './server-process.ts'

const external = process.env['KEYSTEAD_TEST_REDIS_URL']

/** @returns why there is none. */
export function redisMissing(): string | undefined {
  return external !== undefined || isOnPath('redis-server') ? undefined : 'no redis-server on the PATH'
}

export interface RedisServer {
  url: string
  /** Of our own; a Redis that was given is not killed. */
  process: ServerProcess | undefined
  dispose(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  if (external !== undefined) return { url: external, process: undefined, dispose: async () => undefined }
  const server = await ServerProcess.start((port, folder) => ({
    program: 'redis-server',
    parameters: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    ],
  }))
  return { url: `redis://127.0.0.1:${server.port}`, process: server, dispose: () => server.dispose() }
}
