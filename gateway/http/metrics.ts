/** What Prometheus reads, on a listener of its own: amounts and rates are nobody's business outside. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

export async function listenForMetrics(registries: readonly Registry[], host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(registries, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return server
}

async function answer(
  registries: readonly Registry[],
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET' || url !== '/metrics') {
    response.writeHead(404).end()
    return
  }
  const texts = await Promise.all(registries.map((registry) => registry.metrics()))
  response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(texts.join('\n'))
}
