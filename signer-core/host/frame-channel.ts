import { readSync, writeSync } from 'node:fs'
import { decodeFrameHeader, encodeFrame, FRAME_HEADER_BYTES, type Frame } from '../protocol/frames.ts'

/** Blocking frames over an inherited socket: no event loop, and no system call beyond read and write. */
export class FrameChannel {
  private readonly fd: number
  constructor(fd: number) {
    this.fd = fd
  }

  /** undefined when the launcher is gone, even in the middle of a frame. @throws {FrameError} */
  read(): Frame | undefined {
    const header = this.readExactly(FRAME_HEADER_BYTES)
    if (header === undefined) return undefined
    const { lengthBytes, callId, kind } = decodeFrameHeader(header)
    const payload = this.readExactly(lengthBytes)
    return payload && { callId, kind, payload }
  }

  write(frame: Frame): void {
    const bytes = encodeFrame(frame)
    for (let at = 0; at < bytes.length;) at += writeSync(this.fd, bytes, at)
  }

  private readExactly(lengthBytes: number): Uint8Array | undefined {
    const bytes = new Uint8Array(lengthBytes)
    for (let at = 0; at < lengthBytes;) {
      const read = readSync(this.fd, bytes, at, lengthBytes - at, null)
      if (read === 0) return undefined
      at += read
    }
    return bytes
  }
}
