/** What Koa alone can do on this machine, with and without what every request needs: the check and a durable insert. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Koa from 'koa'
import { activitiesSpec, allSpecs } from '../gateway/documents.ts'
import { isStampValid } from '../gateway/stamp-check.ts'
import { openSqliteStore } from '../gateway/store/sqlite/open-sqlite-store.ts'
import { parseStampHeader } from '../signer-core/protocol/stamp.ts'
import { newActivity } from './activities.ts'
import { answerJob } from './worker.ts'

export interface CeilingJob {
  stampCheck: boolean
  /** Where to insert an activity for each request; absent: nowhere. */
  folder?: string
}

export interface CeilingAnswer {
  baseUrl: string
}

/** About as long as the answer to a signature. */
const ANSWER = JSON.stringify({ status: 'ACTIVITY_STATUS_COMPLETED', filling: 'x'.repeat(1_000) })

async function serve({ stampCheck, folder }: CeilingJob): Promise<CeilingAnswer> {
  const insert = folder === undefined ? async () => {} : inserter(folder)
  const app = new Koa()
  app.use(async (context) => {
    const body = await readBody(context.req)
    const stamped = !stampCheck || (await isStamped(context.get('X-Stamp'), body))
    await insert()
    context.status = stamped ? 200 : 401
    context.set('Content-Type', 'application/json')
    context.body = ANSWER
  })
  const handle = app.callback()
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function inserter(folder: string): () => Promise<void> {
  const store = openSqliteStore({ file: join(folder, 'store.sqlite'), collections: allSpecs })
  const activities = store.collection(activitiesSpec)
  return () => activities.insert(newActivity())
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

async function isStamped(header: string, body: Buffer): Promise<boolean> {
  const stamp = parseStampHeader(header, (text) => Buffer.from(text, 'base64url').toString('latin1'))
  return stamp !== undefined && isStampValid(stamp, body)
}

answerJob(serve)
