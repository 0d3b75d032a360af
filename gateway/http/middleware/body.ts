import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import { BODY_BYTES_MAX } from '../../../signer-core/protocol/limits.ts'
import { JsonError, isJsonObject, parseStrictJson, type JsonObject } from '../../../signer-core/protocol/strict-json.ts'
import { ApiError } from '../errors.ts'

/** The exact bytes are what was stamped; text and JSON are readings of them. */
export interface RequestBody {
  bytes: Buffer
  text: string
  json: JsonObject
}

export interface BodyState {
  body: RequestBody
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const body: Middleware<BodyState> = async (context, next) => {
  context.state.body = await readBody(context)
  await next()
}

export async function readBody(context: Context): Promise<RequestBody> {
  if (context.get('Content-Encoding') !== '') throw new ApiError('CONTENT_ENCODING_UNSUPPORTED')
  return parseBody(await readBytes(context.req))
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw new ApiError('BODY_TOO_LARGE')
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length
      if (length > BODY_BYTES_MAX) throw new ApiError('BODY_TOO_LARGE')
      parts.push(part)
    }
  } catch (error) {
    // A stream that breaks off: the client hung up, or was too slow. Nobody reads this answer.
    throw error instanceof ApiError ? error : new ApiError('BODY_INCOMPLETE')
  }
  return Buffer.concat(parts, length)
}

/**
 * For a body that is refused before its end: the rest is thrown away unseen, until the request's time is up. A client that
 * still sends would not read the answer.
 */
export function discardRest(context: Context): void {
  context.set('Connection', 'close')
  context.req.resume()
}

export function parseBody(bytes: Buffer): RequestBody {
  try {
    const text = utf8.decode(bytes)
    const json = parseStrictJson(text)
    if (isJsonObject(json)) return { bytes, text, json }
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof TypeError)) throw error
  }
  throw new ApiError('BODY_INVALID')
}
