/**
 * What the operator of this machine may ask of a running gateway: HTTP over a unix socket in the data folder, which only
 * the gateway's own user can open. `POST /organizations` stores a founded organization; the seal is the signer's, so
 * that whatever else is stored here serves for nothing.
 */
import { once } from 'node:events'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { Organizations } from '../organizations/organizations.ts'
import { DuplicateKeyError } from '../store/store-errors.ts'

const notarizedSchema = z.strictObject({ text: z.string().min(1), seal: z.string().regex(/^[0-9a-f]{64}$/) })
const recordSchema = z.object({ organizationId: z.string().regex(UUID) })

/**
 * Takes the place of whatever is there: what a killed gateway has left, or the socket of another gateway that runs on the
 * same folder. It is bound under a name of its own and moved, so that two that start at once do not meet, and none that
 * stops takes another's away. What it leaves itself answers nobody, and is replaced in turn.
 */
export async function listenForOperator(path: string, organizations: Organizations): Promise<Server> {
  const own = `${path}.${process.pid}`
  rmSync(own, { force: true })
  const server = createServer((request, response) => void answer(request, response, organizations))
  // Born private: a socket has its mode from the moment at which it is bound, which is in this call.
  const mask = process.umask(0o177)
  server.listen(own)
  process.umask(mask)
  await once(server, 'listening')
  chmodSync(own, 0o600)
  renameSync(own, path)
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse, organizations: Organizations): Promise<void> {
  response.statusCode =
    request.method === 'POST' && request.url === '/organizations' ? await insert(request, organizations) : 404
  response.end()
}

/** @returns the HTTP status. */
async function insert(request: IncomingMessage, organizations: Organizations): Promise<number> {
  try {
    const notarized = notarizedSchema.parse(JSON.parse(await text(request)))
    const { organizationId } = recordSchema.parse(JSON.parse(notarized.text))
    await organizations.insert(organizationId, notarized, Date.now())
    return 201
  } catch (error) {
    if (error instanceof DuplicateKeyError) return 409
    return error instanceof z.ZodError || error instanceof SyntaxError ? 400 : 503
  }
}
