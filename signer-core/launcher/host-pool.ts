import { setTimeout as sleep } from 'node:timers/promises'
import { CallQueue, transient, type CallKind, type Said } from './call-queue.ts'
import type { StartHost } from './host-process.ts'
import { HostSlot, type SlotLimits } from './host-slot.ts'

/** Hands each call to an idle host; every call is settled exactly once. */
export class HostPool {
  private readonly limits: SlotLimits
  private readonly queue: CallQueue
  private slots: HostSlot[] = []
  private closing = false

  constructor(limits: SlotLimits) {
    this.limits = limits
    this.queue = new CallQueue(limits.deadlineMs)
  }

  /** Starts the hosts. Calls that came before wait. @returns when the first host is ready. */
  start(count: number, startHost: StartHost): Promise<void> {
    return new Promise((resolve) => {
      const onIdle = (slot: HostSlot) => {
        resolve()
        const next = this.queue.shift()
        if (next !== undefined) slot.run(next)
      }
      this.slots = Array.from({ length: count }, (_, i) => new HostSlot(i, this.limits, startHost, onIdle))
    })
  }

  get readyHosts(): number {
    return this.slots.filter((slot) => slot.isReady).length
  }

  call(kind: CallKind, payload: Uint8Array): Promise<Said> {
    return new Promise((settle) => {
      if (this.closing) return settle(transient('no-host'))
      const idle = this.slots.find((slot) => slot.isIdle)
      if (idle === undefined) this.queue.push({ kind, payload, settle })
      else idle.run({ kind, payload, settle })
    })
  }

  /** Waits for running calls up to `graceMs`, then kills the hosts. Waiting calls are refused at once. */
  async close(graceMs: number): Promise<void> {
    this.closing = true
    this.queue.refuseAll()
    const endsAtMs = performance.now() + graceMs
    while (this.slots.some((slot) => slot.isBusy) && performance.now() < endsAtMs) await sleep(10)
    await Promise.all(this.slots.map((slot) => slot.close()))
  }
}
