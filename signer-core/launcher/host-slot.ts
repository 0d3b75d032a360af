import type { Frame } from '../protocol/frames.ts'
import { transient, type Call } from './call-queue.ts'
import type { Host, StartHost } from './host-process.ts'
import { log } from './log.ts'

/** A host that is not ready by then hangs. Usual: 0.1 to 0.3 s. */
const START_DEADLINE_MS = 10_000
/** A host that lived shorter than this counts as a failed start. */
const STABLE_AFTER_MS = 1_000
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 5_000
const NO_PAYLOAD = new Uint8Array(0)

export interface SlotLimits {
  deadlineMs: number
  idleMs: number
}

/** One place for a host: starts it, hands it one call at a time, kills it on expiry, replaces it when it dies. */
export class HostSlot {
  private readonly number: number
  private readonly limits: SlotLimits
  private readonly start: StartHost
  private readonly onIdle: (slot: HostSlot) => void
  private host: Host | undefined
  private state: 'down' | 'starting' | 'idle' | 'busy' = 'down'
  private running: { call: Call; callId: number } | undefined
  private lastCallId = 0
  private failedStarts = 0
  private startedAtMs = 0
  private readyAtMs: number | undefined
  /** The one thing this slot waits for with a limit: a start, a restart, an answer or the end of idleness. */
  private timer: NodeJS.Timeout | undefined
  private onClosed: (() => void) | undefined

  constructor(number: number, limits: SlotLimits, start: StartHost, onIdle: (slot: HostSlot) => void) {
    this.number = number
    this.limits = limits
    this.start = start
    this.onIdle = onIdle
    this.begin()
  }

  get isIdle(): boolean {
    return this.state === 'idle'
  }

  get isBusy(): boolean {
    return this.state === 'busy'
  }

  /** Whether its host has started and lives; one that works on a call does. */
  get isReady(): boolean {
    return this.state === 'idle' || this.state === 'busy'
  }

  /** Only while idle. */
  run(call: Call): void {
    this.lastCallId = (this.lastCallId + 1) >>> 0
    this.running = { call, callId: this.lastCallId }
    this.state = 'busy'
    this.after(this.limits.deadlineMs, () => this.expire(call))
    this.host?.send({ callId: this.lastCallId, kind: call.kind, payload: call.payload })
  }

  /** Kills the host for good. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.onClosed = resolve
      if (this.host === undefined) this.gone(null, null)
      else this.host.kill()
    })
  }

  private begin(): void {
    this.state = 'starting'
    this.startedAtMs = performance.now()
    this.readyAtMs = undefined
    this.after(START_DEADLINE_MS, () => this.host?.kill())
    this.host = this.start({
      frame: (frame) => this.receive(frame),
      gone: (code, signal) => this.gone(code, signal),
    })
  }

  private receive({ kind, callId, payload }: Frame): void {
    if (kind === 'ready' && this.state === 'starting') {
      this.readyAtMs = performance.now()
      log('info', 'host_ready', { slot: this.number, startMs: Math.round(this.readyAtMs - this.startedAtMs) })
      this.becomeIdle()
    } else if (kind === 'answer' && this.running?.callId === callId) {
      const { call } = this.running
      this.running = undefined
      call.settle({ kind, payload })
      this.becomeIdle()
      this.restLater()
    } else if (this.state !== 'down') {
      log('error', 'host_frame_unexpected', { slot: this.number })
      this.host?.kill()
    }
  }

  private becomeIdle(): void {
    clearTimeout(this.timer)
    this.state = 'idle'
    this.onIdle(this)
  }

  /** A used host that has nothing to do gets rid of what its calls left in memory. */
  private restLater(): void {
    if (this.state !== 'idle') return
    this.after(this.limits.idleMs, () => this.host?.send({ callId: 0, kind: 'rest', payload: NO_PAYLOAD }))
  }

  private expire(call: Call): void {
    log('warn', 'call_deadline', { slot: this.number, deadlineMs: this.limits.deadlineMs })
    this.running = undefined
    this.state = 'down'
    call.settle(transient('deadline'))
    this.host?.kill()
  }

  private gone(code: number | null, signal: string | null): void {
    clearTimeout(this.timer)
    this.host = undefined
    this.state = 'down'
    const lived = this.readyAtMs === undefined ? 0 : performance.now() - this.readyAtMs
    this.running?.call.settle(transient('host-lost'))
    this.running = undefined
    if (this.onClosed !== undefined) {
      this.onClosed()
      return
    }
    log('error', 'host_exit', { slot: this.number, code, signal, livedMs: Math.round(lived) })
    this.failedStarts = lived < STABLE_AFTER_MS ? this.failedStarts + 1 : 0
    this.after(backoffMs(this.failedStarts), () => this.begin())
  }

  private after(delayMs: number, act: () => void): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(act, delayMs)
  }
}

/** The first failure may be an accident; from the second on the pause doubles. */
export function backoffMs(failedStarts: number): number {
  return failedStarts < 2 ? 0 : Math.min(BACKOFF_FIRST_MS * 2 ** (failedStarts - 2), BACKOFF_MAX_MS)
}
