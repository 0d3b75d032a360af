/**
 * Frames between gateway, launcher and host, the same on the unix sockets and on the host's inherited socket:
 * payload length, call id (32-bit big-endian each), kind (one byte), payload (UTF-8 JSON).
 */
import { FRAME_BYTES_MAX } from './limits.ts'

/**
 * `activity` and `operator` are calls; who may send `operator` is decided by the socket that it came in on. `status` asks
 * the launcher itself.
 */
export const frameKinds = ['activity', 'operator', 'answer', 'transient', 'rest', 'ready', 'status'] as const
export type FrameKind = (typeof frameKinds)[number]

export interface Frame {
  callId: number
  kind: FrameKind
  payload: Uint8Array
}

export const FRAME_HEADER_BYTES = 9

export class FrameError extends Error {
  override name = 'FrameError'
}

export function encodeFrame(frame: Frame): Uint8Array {
  if (frame.payload.length > FRAME_BYTES_MAX) throw new FrameError('frame too long')
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + frame.payload.length)
  const header = new DataView(bytes.buffer)
  header.setUint32(0, frame.payload.length)
  header.setUint32(4, frame.callId)
  header.setUint8(8, frameKinds.indexOf(frame.kind))
  bytes.set(frame.payload, FRAME_HEADER_BYTES)
  return bytes
}

/** Length of the payload, call id and kind of a frame whose first nine bytes are given. @throws {FrameError} */
export function decodeFrameHeader(header: Uint8Array): { lengthBytes: number; callId: number; kind: FrameKind } {
  const view = new DataView(header.buffer, header.byteOffset, FRAME_HEADER_BYTES)
  const lengthBytes = view.getUint32(0)
  const kind = frameKinds[view.getUint8(8)]
  if (lengthBytes > FRAME_BYTES_MAX) throw new FrameError('frame too long')
  if (kind === undefined) throw new FrameError('frame of unknown kind')
  return { lengthBytes, callId: view.getUint32(4), kind }
}

/** Cuts a byte stream into frames. Keeps at most one unfinished frame. */
export class FrameReader {
  private pending: Uint8Array[] = []
  private pendingBytes = 0

  /** @throws {FrameError} when the stream cannot be one of ours; the connection must then be closed. */
  push(chunk: Uint8Array): Frame[] {
    this.pending.push(chunk)
    this.pendingBytes += chunk.length
    const frames: Frame[] = []
    for (let frame = this.next(); frame !== undefined; frame = this.next()) frames.push(frame)
    return frames
  }

  private next(): Frame | undefined {
    if (this.pendingBytes < FRAME_HEADER_BYTES) return undefined
    const first = this.pending[0] as Uint8Array
    const { lengthBytes, callId, kind } = decodeFrameHeader(first.length < FRAME_HEADER_BYTES ? this.joined() : first)
    const endsAt = FRAME_HEADER_BYTES + lengthBytes
    if (this.pendingBytes < endsAt) return undefined
    const bytes = this.joined()
    const payload = bytes.slice(FRAME_HEADER_BYTES, endsAt)
    this.pending = endsAt < bytes.length ? [bytes.subarray(endsAt)] : []
    this.pendingBytes -= endsAt
    return { callId, kind, payload }
  }

  private joined(): Uint8Array {
    if (this.pending.length > 1) {
      const whole = new Uint8Array(this.pendingBytes)
      let at = 0
      for (const part of this.pending) {
        whole.set(part, at)
        at += part.length
      }
      this.pending = [whole]
    }
    return this.pending[0] as Uint8Array
  }
}
