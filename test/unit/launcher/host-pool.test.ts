import test from 'ava'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame } from '../../../signer-core/protocol/frames.ts'
import { WAITING_BYTES_MAX, WAITING_CALLS_MAX, type Said } from '../../../signer-core/launcher/call-queue.ts'
import { HostPool } from '../../../signer-core/launcher/host-pool.ts'
import type { Host, HostEvents, StartHost } from '../../../signer-core/launcher/host-process.ts'
import { backoffMs } from '../../../signer-core/launcher/host-slot.ts'

const limits = { deadlineMs: 60_000, idleMs: 60_000 }
const payload = Buffer.from('{}')
const reasonOf = (said: Said) => JSON.parse(Buffer.from(said.payload).toString()).reason

/** A host that a test drives by hand. */
class ToyHost implements Host {
  readonly events: HostEvents
  readonly received: Frame[] = []
  killed = 0
  constructor(events: HostEvents) {
    this.events = events
  }
  send = (frame: Frame) => void this.received.push(frame)
  kill = () => {
    if (this.killed++ === 0) setImmediate(this.events.gone, null, 'SIGKILL')
  }
  ready = () => this.events.frame({ callId: 0, kind: 'ready', payload: Buffer.alloc(0) })
  answer = (callId = this.received.findLast(({ kind }) => kind !== 'rest')?.callId ?? -1) =>
    this.events.frame({ callId, kind: 'answer', payload: Buffer.from(`"${callId}"`) })
}

function toyHosts() {
  const hosts: ToyHost[] = []
  const start: StartHost = (events) => {
    const host = new ToyHost(events)
    hosts.push(host)
    return host
  }
  return { hosts, start }
}

test('a full queue answers busy at once, one below it waits', async (t) => {
  const pool = new HostPool(limits)
  let busy = 0
  const count = (said: Said) => void (reasonOf(said) === 'busy' && busy++)
  for (let i = 0; i < WAITING_CALLS_MAX; i++) void pool.call('activity', payload).then(count)
  await sleep(1)
  t.is(busy, 0)
  t.is(reasonOf(await pool.call('activity', payload)), 'busy')
  await pool.close(0)
})

test('the queue is bounded in bytes, too', async (t) => {
  const pool = new HostPool(limits)
  const waiting = pool.call('activity', Buffer.alloc(WAITING_BYTES_MAX))
  t.is(reasonOf(await pool.call('activity', payload)), 'busy')
  await pool.close(0)
  t.is(reasonOf(await waiting), 'no-host')
})

test('calls are handed over one at a time and in order', async (t) => {
  const pool = new HostPool(limits)
  const { hosts, start } = toyHosts()
  const ready = pool.start(1, start)
  const order: string[] = []
  const calls = ['a', 'b', 'c'].map((name) => pool.call('activity', Buffer.from(name)).then(() => order.push(name)))
  t.is(hosts[0]?.received.length, 0)
  hosts[0]?.ready()
  await ready
  for (let i = 1; i <= 3; i++) {
    t.is(hosts[0]?.received.length, i)
    hosts[0]?.answer()
  }
  await Promise.all(calls)
  t.deepEqual(order, ['a', 'b', 'c'])
  t.deepEqual(
    hosts[0]?.received.map((frame) => Buffer.from(frame.payload).toString()),
    ['a', 'b', 'c'],
  )
  await pool.close(0)
})

test('a host that answers another call, or twice, or says something else is killed', async (t) => {
  const spoil: ((host: ToyHost) => void)[] = [
    (host) => host.answer(99),
    (host) => host.ready(),
    (host) => host.events.frame({ callId: 1, kind: 'activity', payload }),
  ]
  for (const each of spoil) {
    const pool = new HostPool(limits)
    const { hosts, start } = toyHosts()
    void pool.start(1, start)
    hosts[0]?.ready()
    const call = pool.call('activity', payload)
    each(hosts[0] as ToyHost)
    t.is(hosts[0]?.killed, 1)
    t.is(reasonOf(await call), 'host-lost')
    await pool.close(0)
  }
})

test('a call that waits too long in the queue is answered no-host; the deadline counts from dispatch', async (t) => {
  const pool = new HostPool({ deadlineMs: 800, idleMs: 60_000 })
  const { hosts, start } = toyHosts()
  void pool.start(1, start)
  const unserved = pool.call('activity', payload)
  t.is(reasonOf(await unserved), 'no-host')
  const served = pool.call('activity', payload)
  await sleep(500)
  hosts[0]?.ready()
  await sleep(500)
  t.is(hosts[0]?.killed, 0, '1,000 ms after the call, 500 ms after its dispatch')
  t.is(reasonOf(await served), 'deadline')
  t.is(hosts[0]?.killed, 1)
  await sleep(100)
  t.is(hosts.length, 2, 'the first restart is immediate')
  hosts[0]?.answer()
  await pool.close(0)
})

test('a used host is put to rest when idle, once; an unused one is not', async (t) => {
  const pool = new HostPool({ deadlineMs: 60_000, idleMs: 30 })
  const { hosts, start } = toyHosts()
  void pool.start(2, start)
  for (const host of hosts) host.ready()
  const call = pool.call('activity', payload)
  hosts[0]?.answer()
  t.is((await call).kind, 'answer')
  await sleep(120)
  t.deepEqual(
    hosts[0]?.received.map(({ kind }) => kind),
    ['activity', 'rest'],
  )
  t.deepEqual(hosts[1]?.received, [])
  await pool.close(0)
})

test('closing lets a running call finish, refuses the others and starts nothing anew', async (t) => {
  const pool = new HostPool(limits)
  const { hosts, start } = toyHosts()
  void pool.start(1, start)
  hosts[0]?.ready()
  const running = pool.call('activity', payload)
  const waiting = pool.call('activity', payload)
  const closed = pool.close(1_000)
  t.is(reasonOf(await waiting), 'no-host')
  t.is(reasonOf(await pool.call('activity', payload)), 'no-host')
  hosts[0]?.answer()
  t.is((await running).kind, 'answer')
  await closed
  await sleep(20)
  t.is(hosts.length, 1)
})

test('ready are hosts that have started and live, busy ones among them', async (t) => {
  const pool = new HostPool({ deadlineMs: 50, idleMs: 60_000 })
  const { hosts, start } = toyHosts()
  t.is(pool.readyHosts, 0)
  void pool.start(2, start)
  t.is(pool.readyHosts, 0, 'they start')
  hosts[0]?.ready()
  t.is(pool.readyHosts, 1)
  hosts[1]?.ready()
  t.is(pool.readyHosts, 2)
  const overdue = pool.call('activity', payload)
  t.is(pool.readyHosts, 2, 'one works')
  t.is(reasonOf(await overdue), 'deadline')
  t.is(pool.readyHosts, 1, 'it was killed')
  while (hosts.length < 3) await sleep(1)
  t.is(pool.readyHosts, 1, 'the next one starts')
  hosts[2]?.ready()
  t.is(pool.readyHosts, 2)
  t.deepEqual(
    hosts.map(({ killed }) => killed),
    [1, 0, 0],
    'counting harms nobody',
  )
  await pool.close(0)
  t.is(pool.readyHosts, 0)
})

test('the pause before a restart doubles up to five seconds', (t) => {
  t.deepEqual([0, 1, 2, 3, 4, 7, 8, 50].map(backoffMs), [0, 0, 100, 200, 400, 3_200, 5_000, 5_000])
})
