/**
 * The signer host: one process, one component, one call at a time, no event loop. Fd 3 carries frames, fd 4 the
 * data key. Exit codes: 0 the launcher is gone, 70 anything that should not happen (fail-stop; the launcher
 * starts another host).
 */
import { writeSync } from 'node:fs'
import type { Answer, Identity, Notarized } from '../protocol/messages.ts'
import { answer, presentNotarized } from './answers.ts'
import { readOperatorCall } from './calls.ts'
import { createClock } from './clock.ts'
import { callsPerInstance, dropFileAccess, loadComponent } from './component.ts'
import { readDataKey } from './data-key.ts'
import { FrameChannel } from './frame-channel.ts'
import { Instance } from './instance.ts'
import { Performer } from './performer.ts'

const NO_PAYLOAD = new Uint8Array(0)

function run(componentDigest: Uint8Array): void {
  const makeComponent = loadComponent(import.meta.dirname)
  const callsMax = callsPerInstance(import.meta.dirname)
  dropFileAccess(import.meta.dirname)
  const instance = new Instance(makeComponent, readDataKey(4), callsMax)
  const channel = new FrameChannel(3)
  const nowMs = createClock()
  const performer = new Performer(instance, nowMs, componentDigest)

  const operate = (payload: Uint8Array): Answer<Notarized | Identity> =>
    answer(() => {
      const call = readOperatorCall(payload)
      if ('identity' in call) return { publicKey: performer.identity() }
      return presentNotarized(instance.call((gate) => gate.foundOrganization(call.foundOrganization, nowMs())))
    })
  const work = { activity: (payload: Uint8Array) => performer.perform(payload), operator: operate }

  channel.write({ callId: 0, kind: 'ready', payload: NO_PAYLOAD })
  for (let frame = channel.read(); frame !== undefined; frame = channel.read()) {
    const { callId, kind, payload } = frame
    if (kind === 'rest') instance.renew()
    else if (kind !== 'activity' && kind !== 'operator') throw new Error('frame of a kind that is not for hosts')
    else {
      channel.write({ callId, kind: 'answer', payload: Buffer.from(JSON.stringify(work[kind](payload))) })
      instance.renewWhenWorn()
    }
  }
}

/** The launcher's word for what it has checked; nobody else starts a host. */
function readComponentDigest(text = ''): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('started without a component digest')
  return Buffer.from(text, 'hex')
}

/** Name and place of a fault; its message could quote the input. */
function report(error: unknown): void {
  const { name, stack } = error instanceof Error ? error : new Error('not an error')
  const at = stack
    ?.split('\n')
    .find((line) => line.startsWith('    at '))
    ?.trim()
  const line = JSON.stringify({ level: 'error', time: Date.now(), event: 'host_fault', name, at })
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // Nobody listens; the exit code says enough.
  }
}

try {
  run(readComponentDigest(process.argv[2]))
} catch (error) {
  report(error)
  process.exit(70)
}
process.exit(0)
