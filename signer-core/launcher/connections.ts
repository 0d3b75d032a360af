import type { Socket } from 'node:net'
import { encodeFrame, FrameReader } from '../protocol/frames.ts'
import type { SignerStatus } from '../protocol/messages.ts'
import type { CallKind, Said } from './call-queue.ts'
import { log } from './log.ts'

export type Ask = (kind: CallKind, payload: Uint8Array) => Promise<Said>

/** A client that sends and does not read would make us hold its answers; beyond this it is cut off. */
const UNREAD_BYTES_MAX = 16_777_216

/**
 * Serves one client until it leaves or breaks a rule. Frames must be of `kind`, which is what this socket is for.
 * Answers carry the client's own call id and come in any order; for a client that left they are dropped.
 *
 * @param status What every client may know at this moment.
 */
export function serveConnection(socket: Socket, kind: CallKind, ask: Ask, status: () => SignerStatus): void {
  const reader = new FrameReader()
  const cut = (reason: string) => {
    log('warn', 'connection_cut', { socket: kind, reason })
    socket.destroy()
  }
  const reply = (callId: number, said: Said) => {
    if (!socket.writable) return
    if (socket.writableLength > UNREAD_BYTES_MAX) cut('answers-unread')
    else socket.write(encodeFrame({ callId, ...said }))
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    // Data that arrived before a cut is not served.
    if (socket.destroyed) return
    try {
      for (const frame of reader.push(chunk)) {
        if (frame.kind === 'status') {
          reply(frame.callId, { kind: 'answer', payload: Buffer.from(JSON.stringify(status())) })
          continue
        }
        if (frame.kind !== kind) return cut('frame-of-wrong-kind')
        void ask(kind, frame.payload).then((said) => reply(frame.callId, said))
      }
    } catch {
      cut('frame-malformed')
    }
  })
}
