import type { FrameKind } from '../protocol/frames.ts'
import type { Transient } from '../protocol/messages.ts'

export type CallKind = Extract<FrameKind, 'activity' | 'operator'>
export interface Said {
  kind: Extract<FrameKind, 'answer' | 'transient'>
  payload: Uint8Array
}

/** A call on its way to a host. The payload is never looked at here. */
export interface Call {
  kind: CallKind
  payload: Uint8Array
  settle: (said: Said) => void
}

/** Nobody decided: the caller may ask again. */
export function transient(reason: Transient['reason']): Said {
  return { kind: 'transient', payload: Buffer.from(JSON.stringify({ reason } satisfies Transient)) }
}

export const WAITING_CALLS_MAX = 1_024
/** Payloads may have 4 MiB each; what a flood can make us hold is bounded in bytes, too. */
export const WAITING_BYTES_MAX = 67_108_864

/** Calls that wait for a host, first in, first out, none longer than `waitMsMax`. */
export class CallQueue {
  private readonly waitMsMax: number
  /** A Map keeps the order of insertion and forgets in constant time. */
  private readonly waiting = new Map<Call, NodeJS.Timeout>()
  private bytes = 0

  constructor(waitMsMax: number) {
    this.waitMsMax = waitMsMax
  }

  /** Settles the call at once with `busy` when the queue is full. */
  push(call: Call): void {
    if (this.waiting.size >= WAITING_CALLS_MAX || this.bytes + call.payload.length > WAITING_BYTES_MAX) {
      call.settle(transient('busy'))
      return
    }
    this.bytes += call.payload.length
    this.waiting.set(
      call,
      setTimeout(() => this.refuse(call), this.waitMsMax),
    )
  }

  shift(): Call | undefined {
    const call = this.waiting.keys().next().value
    if (call !== undefined) this.remove(call)
    return call
  }

  refuseAll(): void {
    for (const call of this.waiting.keys()) this.refuse(call)
  }

  private refuse(call: Call): void {
    this.remove(call)
    call.settle(transient('no-host'))
  }

  private remove(call: Call): void {
    clearTimeout(this.waiting.get(call))
    this.waiting.delete(call)
    this.bytes -= call.payload.length
  }
}
