import { once } from 'node:events'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import type { SignerStatus } from '../protocol/messages.ts'
import type { CallKind } from './call-queue.ts'
import { serveConnection, type Ask } from './connections.ts'
import { isCode } from './files.ts'
import { StartError } from './log.ts'

/** `sun_path` of unix(7) has 108 bytes, the last of which is zero. */
const PATH_BYTES_MAX = 107
const CONNECTIONS_MAX = 256

export interface Listener {
  /** No new connections, no new frames; what is being answered goes on. Removes the socket. */
  stopAccepting: () => void
  /** Sends what is still to be sent and closes every connection. */
  close: () => Promise<void>
}

/**
 * @param mode Who may connect.
 * @throws {StartError} `socket_path_too_long` or `already_running`.
 */
export async function listen(
  path: string,
  kind: CallKind,
  ask: Ask,
  status: () => SignerStatus,
  mode = 0o600,
): Promise<Listener> {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) {
    const message = `${path} is longer than ${PATH_BYTES_MAX} bytes: choose a shorter KEYSTEAD_DATA_DIR`
    throw new StartError('socket_path_too_long', message)
  }
  await removeStale(path)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.once('close', () => open.delete(socket)))
    serveConnection(socket, kind, ask, status)
  })
  server.maxConnections = CONNECTIONS_MAX
  // Born private: main.ts has set the umask. The execute bits, which mean nothing here, are all that goes.
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, mode)
  return {
    stopAccepting() {
      server.close()
      for (const socket of open) socket.pause()
    },
    async close() {
      await Promise.all([...open].map((socket) => (socket.destroySoon(), once(socket, 'close'))))
    },
  }
}

/** A socket on which nobody answers was left behind by a launcher that was killed. */
async function removeStale(path: string): Promise<void> {
  const probe = connect(path)
  try {
    await once(probe, 'connect')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    // Linux refuses a connection to a regular file with the same code.
    if (!isCode(error, 'ECONNREFUSED') || !lstatSync(path).isSocket()) throw error
    rmSync(path)
    return
  } finally {
    probe.destroy()
  }
  throw new StartError('already_running', `another launcher answers on ${path}: one launcher for each data directory`)
}
