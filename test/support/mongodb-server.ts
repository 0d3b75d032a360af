/**
 * A server that speaks MongoDB's protocol, for tests: `KEYSTEAD_TEST_MONGODB_URL`, else `mongod` from the PATH as a
 * replica set of one, else mongo-java-server, which Maven fetches.
 *
 * mongo-java-server is a stand-in: one process, no replica set, so nothing here says what an election does. Its jars
 * are fetched once, checked against their digests at every start, and kept in `~/.cache/keystead`.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { MongoClient } from 'mongodb'
import { isOnPath, ServerProcess, type ServerCommand } from './server-process.ts'

const external = process.env['KEYSTEAD_TEST_MONGODB_URL']
const SOURCES = join(import.meta.dirname, 'mongo-java-server')
const JARS = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'keystead/mongo-java-server-1.47.0')

/** Who answers: some of what a replica set promises only a real one can show. */
export const mongodbKind: 'given' | 'mongod' | 'mongo-java-server' =
  external !== undefined ? 'given' : isOnPath('mongod') ? 'mongod' : 'mongo-java-server'

/** @returns why there is none. */
export function mongodbMissing(): string | undefined {
  if (mongodbKind !== 'mongo-java-server') return undefined
  if (!isOnPath('javac')) return 'no mongod on the PATH, and no Java compiler for mongo-java-server'
  if (isOnPath('mvn') || existsSync(JARS)) return undefined
  return 'no mongod on the PATH, and no Maven to fetch mongo-java-server'
}

export interface MongodbServer {
  /** @param database Its name; each test takes one of its own. */
  url(database: string): string
  /** Of our own; a server that was given is not killed. */
  process: ServerProcess | undefined
  dispose(): Promise<void>
}

export async function startMongodb(): Promise<MongodbServer> {
  if (external !== undefined) return { url: urlOfGiven, process: undefined, dispose: async () => undefined }
  if (mongodbKind === 'mongo-java-server') fetchJars()
  const server = await ServerProcess.start(mongodbKind === 'mongod' ? mongod : mongoJavaServer)
  return {
    url: (database) => `mongodb://127.0.0.1:${server.port}/${database}`,
    process: server,
    dispose: () => server.dispose(),
  }
}

function urlOfGiven(database: string): string {
  const url = new URL(external as string)
  url.pathname = `/${database}`
  return url.href
}

function mongod(port: number, folder: string): ServerCommand {
  const parameters = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', folder, '--replSet', 'test']
  return { program: 'mongod', parameters, isUp: () => initiate(port) }
}

/** @returns whether the replica set of one has its primary. */
async function initiate(port: number): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`)
  const host = `127.0.0.1:${port}`
  try {
    const admin = client.db('admin')
    const { isWritablePrimary, setName } = await admin.command({ hello: 1 })
    if (setName === undefined) {
      await admin.command({ replSetInitiate: { _id: 'test', members: [{ _id: 0, host }] } })
    }
    return isWritablePrimary === true && setName !== undefined
  } finally {
    await client.close()
  }
}

function mongoJavaServer(port: number, folder: string): ServerCommand {
  const classPath = jarDigests().map(({ name }) => join(JARS, name))
  const file = join(folder, 'data.mv')
  // A short-lived process: what the second compiler gains it does not earn back.
  const parameters = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', classPath.join(delimiter)]
  return { program: 'java', parameters: [...parameters, join(SOURCES, 'DurableServer.java'), String(port), file] }
}

/** All jars or none: several test files may fetch at the same time. */
function fetchJars(): void {
  if (!existsSync(JARS)) {
    mkdirSync(join(JARS, '..'), { recursive: true })
    const partPath = mkdtempSync(`${JARS}.part-`)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${partPath}`]
    execFileSync('mvn', ['-B', '-q', '-f', join(SOURCES, 'pom.xml'), ...goal], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    try {
      renameSync(partPath, JARS)
    } catch (error) {
      rmSync(partPath, { recursive: true })
      if (!existsSync(JARS)) throw error
    }
  }
  for (const { digest, name } of jarDigests()) {
    const found = createHash('sha256')
      .update(readFileSync(join(JARS, name)))
      .digest('hex')
    if (found !== digest) throw new Error(`${join(JARS, name)} is not the jar that is expected: delete the folder`)
  }
}

function jarDigests(): { digest: string; name: string }[] {
  const lines = readFileSync(join(SOURCES, 'jars.sha256'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [digest = '', name = ''] = line.split('  ')
    return { digest, name }
  })
}
