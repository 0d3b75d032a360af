import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { Redis } from 'ioredis'
import { ConfigError, loadConfig, signerDeadlineMs } from '../../../gateway/config.ts'

const file = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'ks-config-')), 'keystead.yaml')
  writeFileSync(path, text)
  return path
}

test('every setting has a default', (t) => {
  t.like(loadConfig({}), { host: '127.0.0.1', port: 8080, logLevel: 'info', timestampAgeMaxMs: 0 })
})

test('the environment wins over the file', (t) => {
  const config = loadConfig({ KEYSTEAD_CONFIG: file('port: 1\nactivityHoldMs: 7\n'), KEYSTEAD_PORT: '2' })
  t.like(config, { port: 2, activityHoldMs: 7 })
})

test('all mistakes are named at once, without their values', (t) => {
  const environment = { KEYSTEAD_PORT: '70000', KEYSTEAD_LOG_LEVEL: 'SECRET', KEYSTEAD_NO_SUCH: 'SECRET' }
  const error = t.throws(() => loadConfig(environment), { instanceOf: ConfigError })
  for (const name of Object.keys(environment)) t.true(error?.message.includes(name), name)
  t.false(error?.message.includes('SECRET'))
})

const NUMBERS = {
  PORT: 'port',
  WORKER_HEALTH_PORT: 'workerHealthPort',
  METRICS_PORT: 'metricsPort',
  WORKER_METRICS_PORT: 'workerMetricsPort',
  SIGNER_DEADLINE_MS: 'signerDeadlineMs',
  ACTIVITY_HOLD_MS: 'activityHoldMs',
  TIMESTAMP_AGE_MAX_MS: 'timestampAgeMaxMs',
  ACTIVITIES_UNDER_WAY_MAX: 'activitiesUnderWayMax',
  CHAIN_ID: 'chainId',
  CHAIN_FINALITY_DEPTH: 'chainFinalityDepth',
  CHAIN_IN_FLIGHT_MAX: 'chainInFlightMax',
  CHAIN_POLL_MS: 'chainPollMs',
} as const

for (const [suffix, member] of Object.entries(NUMBERS)) {
  test(`${member}: a whole number or a refusal with its name; what is empty is no 0`, (t) => {
    const name = `KEYSTEAD_${suffix}`
    t.is(loadConfig({ [name]: '1000' })[member], 1_000)
    t.is(loadConfig({ KEYSTEAD_CONFIG: file(`${member}: 1000\n`) })[member], 1_000)
    t.is(loadConfig({ KEYSTEAD_CONFIG: file(`${member}: '1000'\n`) })[member], 1_000)
    const texts = ['', ' ', '\n', '-1', '+100', ' 100', '1e3', '0x64', '100.0', '9007199254740993', 'Infinity']
    const environments = [
      ...texts.map((text) => ({ [name]: text })),
      ...['', '[]', '[100]', '{}', 'true', 'false', "''", '-1', '100.5', '.nan', '.inf', '9007199254740993'].map(
        (yaml) => ({ KEYSTEAD_CONFIG: file(`${member}: ${yaml}\n`) }),
      ),
    ]
    for (const environment of environments) {
      const error = t.throws(() => loadConfig(environment), { instanceOf: ConfigError }, JSON.stringify(environment))
      t.regex(error?.message ?? '', new RegExp(`^bad settings\n  ${name}: must be a whole number [^\n]+$`))
    }
  })
}

test('a file that cannot be used refuses to start', (t) => {
  for (const path of ['/no/such/file', file('- 1\n'), file('a: [\n'), file('nope: 1\n')]) {
    t.throws(() => loadConfig({ KEYSTEAD_CONFIG: path }), { instanceOf: ConfigError }, path)
  }
})

test('names of the launcher and of the tests are not the gateway’s business', (t) => {
  t.notThrows(() => loadConfig({ KEYSTEAD_SIGNER_HOSTS: '1', KEYSTEAD_TEST_MONGODB_URL: 'x' }))
})

/** What an operator may paste: passwords that were not percent-encoded, other protocols, no host. */
const BAD_URLS = {
  KEYSTEAD_MONGODB_URL: [
    'mongodb://u:SECRET@a',
    'mongodb://u:SECRET@a/',
    'http://u:SECRET@a/keystead',
    'SECRET',
    ...['#', '/', '?', '@', '%', '['].map((char) => `mongodb://u:SECRET${char}SECRET@a/keystead`),
  ],
  KEYSTEAD_REDIS_URL: [
    'SECRET',
    'redis://',
    'redis://:SECRET@',
    'http://:SECRET@a',
    'a:6379/SECRET',
    '/SECRET.sock',
    'redis://:SECRET@a:99999',
    'redis://:SECRET@a/name',
    ' redis://:SECRET@a',
    'redis://:SECRET@a\n',
    ...['#', '/', '?', '%'].flatMap((char) => [
      `redis://:SECRET${char}SECRET@a:6379`,
      `redis://u:12${char}SECRET@a:6379`,
      `redis://SECRET${char}SECRET@a`,
    ]),
  ],
  KEYSTEAD_RPC_URL: ['SECRET', 'https://u:SECRET#SECRET@', 'ftp://u:SECRET@a', 'https://a:99999/SECRET'],
}

for (const [name, urls] of Object.entries(BAD_URLS)) {
  test(`${name}: a URL that cannot be used is refused by name, and is not shown`, (t) => {
    for (const bad of urls) {
      const environment = { KEYSTEAD_MONGODB_URL: 'mongodb://a/keystead', [name]: bad }
      const error = t.throws(() => loadConfig(environment), { instanceOf: ConfigError }, bad)
      t.true(error?.message.startsWith(`bad settings\n  ${name}: `), bad)
      t.false(error?.message.includes('SECRET'), bad)
    }
  })
}

test('URLs of databases are taken as they are', (t) => {
  const mongodbUrls = [
    'mongodb://u:p%23@a,b:27018/keystead?replicaSet=rs',
    'mongodb+srv://u:p@a/keystead',
    'mongodb://[::1]:27017/keystead',
  ]
  for (const mongodbUrl of mongodbUrls) t.is(loadConfig({ KEYSTEAD_MONGODB_URL: mongodbUrl }).mongodbUrl, mongodbUrl)
  const redisUrls = ['redis://a', 'rediss://u:p%23%2F@a:6380/2', 'redis://:p@[::1]/', 'redis://:p@a?family=6']
  for (const redisUrl of redisUrls) {
    const KEYSTEAD_MONGODB_URL = 'mongodb://a/keystead'
    t.is(loadConfig({ KEYSTEAD_MONGODB_URL, KEYSTEAD_REDIS_URL: redisUrl }).redisUrl, redisUrl)
    t.notThrows(() => new Redis(redisUrl, { lazyConnect: true }).disconnect(), redisUrl)
  }
})

test('a shared queue needs a shared store', (t) => {
  const KEYSTEAD_REDIS_URL = 'redis://localhost'
  const error = t.throws(() => loadConfig({ KEYSTEAD_REDIS_URL }), { instanceOf: ConfigError })
  t.regex(error?.message ?? '', /KEYSTEAD_REDIS_URL: needs KEYSTEAD_MONGODB_URL/)
  t.notThrows(() => loadConfig({ KEYSTEAD_REDIS_URL, KEYSTEAD_MONGODB_URL: 'mongodb://a/keystead' }))
})

test('a call to the signer may take longer than the launcher lets it wait and work', (t) => {
  t.is(signerDeadlineMs(loadConfig({})), 30_000)
  t.is(signerDeadlineMs(loadConfig({ KEYSTEAD_SIGNER_DEADLINE_MS: '25000' })), 60_000)
})
