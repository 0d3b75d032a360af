import test from 'ava'
import { StartError } from '../../../signer-core/launcher/log.ts'
import { readSettings } from '../../../signer-core/launcher/settings.ts'

test('every setting has a default, and the gateway’s names are not the launcher’s business', (t) => {
  t.like(readSettings({ KEYSTEAD_PORT: 'x', KEYSTEAD_DATA_DIR: '/d' }), {
    dataDir: '/d',
    deadlineMs: 10_000,
    idleMs: 200,
    engine: 'auto',
    socketMode: 0o600,
  })
  t.is(readSettings({ KEYSTEAD_SIGNER_SOCKET_MODE: '0660' }).socketMode, 0o660)
  t.is(readSettings({ KEYSTEAD_SIGNER_ENGINE: 'reference' }).engine, 'reference')
  t.is(readSettings({ KEYSTEAD_SIGNER_HOSTS: '3' }).hosts, 3)
})

test('all mistakes are named at once, without their values', (t) => {
  const environment = {
    KEYSTEAD_SIGNER_HOSTS: '0',
    KEYSTEAD_SIGNER_IDLE_MS: 'SECRET',
    KEYSTEAD_SIGNER_HOST: 'SECRET',
    KEYSTEAD_SIGNER_ENGINE: 'SECRET',
    KEYSTEAD_SIGNER_SOCKET_MODE: '0666',
  }
  const error = t.throws(() => readSettings(environment), { instanceOf: StartError })
  for (const name of Object.keys(environment)) t.true(error?.message.includes(name), name)
  t.true(error?.message.includes('unknown: KEYSTEAD_SIGNER_HOST'))
  t.false(error?.message.includes('SECRET'))
})

test('a file of settings, which only the gateway reads, does not leave the data folder to a guess', (t) => {
  const file = { KEYSTEAD_CONFIG: '/etc/keystead.yaml' }
  t.throws(() => readSettings(file), { instanceOf: StartError, message: /^KEYSTEAD_CONFIG is not read here/ })
  t.is(readSettings({ ...file, KEYSTEAD_DATA_DIR: '/d' }).dataDir, '/d')
})

test('what is empty is no default and no 0', (t) => {
  const names = ['HOSTS', 'IDLE_MS', 'DEADLINE_MS', 'ENGINE', 'SOCKET_MODE'].map(
    (suffix) => `KEYSTEAD_SIGNER_${suffix}`,
  )
  for (const name of [...names, 'KEYSTEAD_DATA_DIR']) {
    const error = t.throws(() => readSettings({ [name]: '' }), { instanceOf: StartError })
    t.true(error?.message.startsWith(`${name} must`), name)
  }
})
