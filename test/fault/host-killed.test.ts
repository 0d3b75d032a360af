import test from 'ava'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, startLauncher } from '../support/launcher.ts'
import { foundingCall } from '../support/founding.ts'

test('a host that is killed in mid-call costs that call only', async (t) => {
  const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
  t.teardown(launcher.stop)
  const operator = await launcher.connect('operator')
  const [host] = launcher.hostPids()
  // Stopped, so that the call is certainly running when the host dies.
  process.kill(host as number, 'SIGSTOP')
  const lost = operator.call(foundingCall(), 'operator')
  await sleep(500)
  process.kill(host as number, 'SIGKILL')
  t.deepEqual(await lost, { kind: 'transient', value: { reason: 'host-lost' } })

  const lostAtMs = performance.now()
  const next = await operator.call(foundingCall(), 'operator')
  t.true(next.value.ok)
  t.log(`answering again after ${Math.round(performance.now() - lostAtMs)} ms`)
})

test('a host that does not answer is killed at the deadline and replaced', async (t) => {
  const launcher = await startLauncher({
    environment: { KEYSTEAD_SIGNER_HOSTS: '1', KEYSTEAD_SIGNER_DEADLINE_MS: '3000' },
  })
  t.teardown(launcher.stop)
  const operator = await launcher.connect('operator')
  const [host] = launcher.hostPids()
  process.kill(host as number, 'SIGSTOP')
  const startedAtMs = performance.now()
  const late = await operator.call(foundingCall(), 'operator')
  const tookMs = performance.now() - startedAtMs
  t.deepEqual(late, { kind: 'transient', value: { reason: 'deadline' } })
  t.true(tookMs >= 2_950, `${tookMs} ms`)
  t.true((await operator.call(foundingCall(), 'operator')).value.ok)
  t.false(isAlive(host as number))
  t.false(launcher.hostPids().includes(host as number))
})

test('calls that find no host wait for one, and not for ever', async (t) => {
  const launcher = await startLauncher({
    environment: { KEYSTEAD_SIGNER_HOSTS: '1', KEYSTEAD_SIGNER_DEADLINE_MS: '700' },
  })
  t.teardown(launcher.stop)
  const operator = await launcher.connect('operator')
  process.kill(launcher.hostPids()[0] as number, 'SIGSTOP')
  const answers = await Promise.all([1, 2].map(() => operator.call(foundingCall(), 'operator')))
  t.deepEqual(answers[0]?.value, { reason: 'deadline' })
  t.true(answers[1]?.value.ok === true || answers[1]?.value.reason === 'no-host')
})

test('one organization is founded and the malformed calls before it do no harm', async (t) => {
  const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
  t.teardown(launcher.stop)
  const [host] = launcher.hostPids()
  const operator = await launcher.connect('operator')
  const gateway = await launcher.connect()
  const stamp = {
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    publicKey: `02${'f'.repeat(64)}`,
    signature: '3006020101020101',
  }
  const organization = { text: '{}', seal: '' }
  const call = { activityId: randomUUID(), body: 'e30=', stamp, organization, keys: [] }
  const codeOf = async (payload: unknown) => (await gateway.call(payload)).value.refusal.code
  t.is(await codeOf('text'), 'BODY_INVALID')
  t.is(await codeOf({}), 'BODY_INVALID')
  t.is(await codeOf({ ...call, body: 'e30' }), 'BODY_INVALID')
  t.is(await codeOf({ ...call, activityId: 'x' }), 'BODY_INVALID')
  t.is(await codeOf({ ...call, keys: Array.from({ length: 101 }, () => ({})) }), 'BODY_INVALID')
  t.is(await codeOf({ ...call, body: Buffer.alloc(262_145).toString('base64') }), 'BODY_INVALID')
  t.is(await codeOf({ ...call, stamp: null }), 'STAMP_INVALID')
  // x = 2^256 - 1 is no coordinate of the field.
  t.is(await codeOf(call), 'STAMP_INVALID')
  t.is((await operator.call({ foundOrganization: '{}' }, 'operator')).value.ok, false)
  t.true((await operator.call(foundingCall(), 'operator')).value.ok)
  t.deepEqual(launcher.hostPids(), [host as number], 'still the first host')
})

for (const sandbox of ['as found', 'none'] as const) {
  test(`SIGUSR1 opens no inspector (sandbox ${sandbox})`, async (t) => {
    const path: Record<string, string> = sandbox === 'none' ? { PATH: '/nonexistent' } : {}
    const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1', ...path } })
    t.teardown(launcher.stop)
    process.kill(launcher.hostPids()[0] as number, 'SIGUSR1')
    await sleep(500)
    t.notRegex(launcher.log(), /Debugger listening/)
    t.false(listensOnInspectorPort())
    const operator = await launcher.connect('operator')
    t.true((await operator.call(foundingCall(), 'operator')).value.ok)
  })
}

/** Port 9229, by the kernel's own list of listening sockets (state 0A). */
function listensOnInspectorPort(): boolean {
  return /^\s*\d+: [0-9A-F]+:240D [0-9A-F]+:0000 0A/m.test(readFileSync('/proc/net/tcp', 'utf8'))
}
