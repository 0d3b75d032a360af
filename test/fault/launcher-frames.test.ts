import test from 'ava'
import { once } from 'node:events'
import { encodeFrame } from '../../signer-core/protocol/frames.ts'
import { foundingCall } from '../support/founding.ts'
import { startLauncher } from '../support/launcher.ts'

test('a malformed or foreign frame closes that connection and no other', async (t) => {
  const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
  t.teardown(launcher.stop)
  const good = await launcher.connect('operator')
  const [host] = launcher.hostPids()
  const bad = {
    'over-long': Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0),
    'unknown kind': Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 99),
    'operator call of the gateway': encodeFrame({
      callId: 1,
      kind: 'operator',
      payload: Buffer.from(JSON.stringify(foundingCall())),
    }),
    'rest of the gateway': encodeFrame({ callId: 1, kind: 'rest', payload: new Uint8Array(0) }),
  }
  for (const [name, bytes] of Object.entries(bad)) {
    const client = await launcher.connect('gateway')
    client.socket.write(bytes)
    await once(client.socket, 'close')
    t.is(client.socket.bytesRead, 0, name)
  }
  const activityOnOperator = await launcher.connect('operator')
  await t.throwsAsync(activityOnOperator.call({}, 'activity'), { message: 'connection closed' })
  t.true((await good.call(foundingCall(), 'operator')).value.ok)
  t.deepEqual(launcher.hostPids(), [host as number])
  t.is(launcher.log().match(/connection_cut/g)?.length, 5)
  t.notRegex(launcher.log(), /foundOrganization/)
})

test('answers find their calls, whole or in single bytes; a client that left is forgotten', async (t) => {
  const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '2' } })
  t.teardown(launcher.stop)
  const leaver = await launcher.connect('operator')
  void leaver.call(foundingCall(), 'operator').catch(() => {})
  leaver.close()
  const client = await launcher.connect('operator')
  const answers = await Promise.all(Array.from({ length: 100 }, () => client.call(foundingCall(), 'operator')))
  t.true(answers.every(({ kind, value }) => kind === 'answer' && value.ok))

  const slow = await launcher.connect('operator')
  slow.socket.setNoDelay?.(true)
  const answered = once(slow.socket, 'data')
  const frame = encodeFrame({ callId: 7, kind: 'operator', payload: Buffer.from(JSON.stringify(foundingCall())) })
  for (const byte of frame) await new Promise((resolve) => slow.socket.write(Uint8Array.of(byte), resolve))
  t.is((await answered)[0].readUInt32BE(4), 7)
})
