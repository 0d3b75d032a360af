/** What Koa alone can do on this machine, with and without the one check that every request needs. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { isStampValid } from '../gateway/stamp-check.ts'
import { parseStampHeader } from '../signer-core/protocol/stamp.ts'
import { answerJob } from './worker.ts'

export interface CeilingJob {
  stampCheck: boolean
}

export interface CeilingAnswer {
  baseUrl: string
}

/** About as long as the answer to a signature. */
const ANSWER = JSON.stringify({ status: 'ACTIVITY_STATUS_COMPLETED', filling: 'x'.repeat(1_000) })

async function serve({ stampCheck }: CeilingJob): Promise<CeilingAnswer> {
  const app = new Koa()
  app.use(async (context) => {
    const body = await readBody(context.req)
    const stamped = !stampCheck || (await isStamped(context.get('X-Stamp'), body))
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
