import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { encodeFrame, FrameReader, type Frame } from '../protocol/frames.ts'
import { log, StartError } from './log.ts'
import { spawnSandboxed, type Sandbox } from './sandbox.ts'

export interface HostEvents {
  frame: (frame: Frame) => void
  /** Exactly once, after the last frame. */
  gone: (code: number | null, signal: string | null) => void
}

export interface Host {
  send: (frame: Frame) => void
  /** SIGKILL, and nothing more to read for whatever is left. */
  kill: () => void
}

export type StartHost = (events: HostEvents) => Host

/**
 * Starts host processes that get the data key, unwrapped for each of them, through their inherited pipe.
 * @param componentDigest What receipts say of the component; no secret.
 */
export function createStartHost(
  sandbox: Sandbox,
  dist: string,
  componentDigest: string,
  unwrapDataKey: () => Promise<Uint8Array>,
): StartHost {
  return (events) => {
    const child = spawnSandboxed(sandbox, dist, ['host.mjs', componentDigest])
    const frames = child.stdio[3] as Socket
    const keyPipe = child.stdio[4] as Writable
    const kill = () => {
      child.kill('SIGKILL')
      // bubblewrap that is killed while it starts leaves its inner process behind: that one ends at the end of file.
      for (const stream of child.stdio) stream?.destroy()
    }
    const reader = new FrameReader()
    frames.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) events.frame(frame)
      } catch {
        log('error', 'host_frame_malformed')
        kill()
      }
    })
    // A broken pipe means that the host is ending; `close` follows.
    frames.on('error', kill)
    keyPipe.on('error', kill)
    child.on('error', () => log('error', 'host_not_started'))
    // Not `exit`: frames that were written before the end are still on their way then.
    child.on('close', events.gone)
    deliverDataKey(unwrapDataKey, keyPipe).catch((error: unknown) => {
      if (error instanceof StartError) log('error', error.event, { message: error.message })
      kill()
    })
    return { send: (frame) => void frames.write(encodeFrame(frame)), kill }
  }
}

/** Leaves no copy in this process: the buffer goes to the kernel as it is, and is zeros once it is there. */
async function deliverDataKey(unwrap: () => Promise<Uint8Array>, pipe: Writable): Promise<void> {
  const dataKey = await unwrap()
  try {
    pipe.end(dataKey)
    await finished(pipe, { readable: false })
  } finally {
    dataKey.fill(0)
  }
}
