/** What `docker compose up` would start. No Docker engine runs here: this reads the files and says what must be in them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'yaml'
import { loadConfig } from '../../../gateway/config.ts'
import { QUEUE_ANSWER_MS } from '../../../gateway/http/routes/health.ts'
import { readSettings } from '../../../signer-core/launcher/settings.ts'

const rootPath = join(import.meta.dirname, '../../..')
const text = (path: string) => readFileSync(join(rootPath, path), 'utf8')

interface Service {
  image: string
  build?: string
  user: string
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  networks?: string[]
  network_mode?: string
  ports?: string[]
  profiles?: string[]
  healthcheck: { test: string[]; interval: string; timeout: string; retries: number }
  depends_on?: Record<string, { condition: string }>
}

const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  volumes: Record<string, unknown>
}
const services = Object.entries(compose.services)
const named = (name: string) => compose.services[name] as Service
const GATEWAYS = ['gateway-1', 'gateway-2']
const WORKERS = ['worker-1', 'worker-2']

/** Name, and a version of three numbers. */
const PINNED = /^[a-z0-9./-]+:\d+\.\d+\.\d+(?:-[a-z0-9]+)*$/

test('the services are there, and only the chain of development waits for its profile', (t) => {
  const names = ['anvil', ...GATEWAYS, 'launcher', 'mongodb', 'proxy', 'redis', ...WORKERS]
  t.deepEqual(Object.keys(compose.services).toSorted(), names)
  t.deepEqual(
    services.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name),
    ['anvil'],
  )
})

for (const [name, service] of services) {
  test(`${name}: pinned, not root, nothing to write but its volumes, and its health is looked at`, (t) => {
    t.regex(service.image, PINNED)
    t.regex(service.user, /^[1-9]\d*:[1-9]\d*$/)
    t.true(service.read_only)
    t.deepEqual(service.cap_drop, ['ALL'])
    t.true(service.security_opt.includes('no-new-privileges:true'))
    t.true(service.healthcheck.test.length > 1 && service.healthcheck.test[0] === 'CMD')
    for (const member of ['interval', 'timeout', 'retries'] as const) t.truthy(service.healthcheck[member], member)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('./')) t.true(existsSync(join(rootPath, source)), volume)
      else t.true(source in compose.volumes, volume)
    }
    for (const network of service.networks ?? []) t.true(network in compose.networks, network)
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      t.true(needed in compose.services, needed)
      t.is(condition, 'service_healthy')
    }
    for (const port of service.ports ?? []) t.regex(port, /^127\.0\.0\.1:/, 'plain HTTP stays on the machine')
  })
}

test('settings are those that the processes know, and agree with each other', (t) => {
  const launcher = readSettings({ KEYSTEAD_DATA_DIR: '/run/keystead', ...named('launcher').environment })
  t.is(launcher.socketMode, 0o660)
  for (const name of [...GATEWAYS, ...WORKERS]) {
    const config = loadConfig({ KEYSTEAD_DATA_DIR: '/run/keystead', ...named(name).environment })
    t.is(config.signerDeadlineMs, launcher.deadlineMs)
    t.truthy(config.mongodbUrl)
    t.truthy(config.redisUrl)
    t.is(config.workerHealthPort === undefined, GATEWAYS.includes(name))
  }
  for (const name of [...GATEWAYS, ...WORKERS, 'launcher']) {
    const script = named(name).command?.[0] ?? 'gateway/main.ts'
    t.true(existsSync(join(rootPath, script)), script)
  }
  const [, , healthCheck = ''] = named('launcher').healthcheck.test
  t.true(existsSync(join(rootPath, healthCheck)), healthCheck)
})

test('the signer has keys and no network; who has a network has no keys', (t) => {
  t.is(named('launcher').network_mode, 'none')
  for (const [name, service] of services) {
    const hasKeys = service.volumes?.some((volume) => volume.startsWith('signer:')) ?? false
    t.is(hasKeys, name === 'launcher', name)
  }
  const [signerUser, signerGroup] = named('launcher').user.split(':')
  for (const name of [...GATEWAYS, ...WORKERS]) {
    const [user, group] = named(name).user.split(':')
    t.not(user, signerUser)
    t.is(group, signerGroup, 'the socket between them is the group’s')
    t.true(named(name).volumes?.includes('run:/run/keystead:ro'))
    t.regex(named(name).environment?.['KEYSTEAD_OPERATOR_SOCKET'] ?? '', /^\/tmp\//, 'where it can be made')
  }
  t.true(compose.networks['backing']?.internal)
  for (const name of ['mongodb', 'redis']) t.deepEqual(named(name).networks, ['backing'])
})

test('MongoDB is a replica set, Redis keeps a log and drops nothing', (t) => {
  t.true(named('mongodb').command?.includes('--replSet'))
  t.true(named('mongodb').healthcheck.test.join(' ').includes('rs.initiate'))
  const url = new URL(named('gateway-1').environment?.['KEYSTEAD_MONGODB_URL'] ?? '')
  t.is(url.searchParams.get('replicaSet'), 'keystead')
  const redis = named('redis').command?.join(' ') ?? ''
  t.true(redis.includes('--appendonly yes') && redis.includes('--maxmemory-policy noeviction'))
})

/** Of `deploy/haproxy.cfg`: the lines of one section. */
function section(name: string): string[] {
  const blocks = text('deploy/haproxy.cfg').split(/^(?=\S)/m)
  const block = blocks.find((each) => each.startsWith(`${name}\n`)) ?? ''
  return block.split('\n').map((line) => line.trim())
}

test('the proxy knows every gateway and asks whether it is ready', (t) => {
  for (const name of GATEWAYS) t.true(section('backend gateways').includes(`server ${name} ${name}:8080`))
  t.true(section('defaults').includes('option httpchk GET /readyz'))
})

test('the proxy waits for the answer of a gateway whose queue says nothing', (t) => {
  const [, seconds] = /\ntimeout check (\d+)s\n/.exec(section('defaults').join('\n')) ?? []
  t.true(Number(seconds) * 1_000 >= 4 * QUEUE_ANSWER_MS)
})

test('the proxy starts with no gateway there, and finds one that comes', (t) => {
  t.true(section('resolvers docker').includes('nameserver dns 127.0.0.11:53'))
  const server = section('backend gateways').find((line) => line.startsWith('default-server ')) ?? ''
  t.regex(server, / resolvers docker /)
  t.regex(server, / init-addr [a-z,]*none$/)
})

test('the proxy says who the client is, and the gateways believe it alone', (t) => {
  const frontend = section('frontend public')
  t.true(frontend.includes('http-request del-header X-Forwarded-For') && frontend.includes('option forwardfor'))
  for (const name of GATEWAYS) {
    const { x402 } = loadConfig(named(name).environment ?? {}).plugins
    t.is(x402?.['trustedProxies'], 1)
  }
})

test('the image: pinned stages, no root at the end, everything that is copied is there', (t) => {
  const lines = text('Dockerfile').split('\n')
  const stages = lines.filter((line) => line.startsWith('FROM '))
  t.is(stages.length, 3)
  for (const stage of stages) t.regex(stage.split(' ')[1] ?? '', PINNED)
  t.regex(lines.findLast((line) => line.startsWith('USER ')) ?? '', /^USER [1-9]\d*:[1-9]\d*$/)
  const copied = lines.filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  for (const source of copied.flatMap((line) => line.split(' ').slice(1, -1))) {
    t.true(existsSync(join(rootPath, source)), source)
  }
  t.true(text('Dockerfile').includes('npm run build:engine && npm run build'), 'the fast engine, or no image')
  for (const { user } of [named('launcher'), named('gateway-1')]) {
    const [uid = '', gid = ''] = user.split(':')
    t.regex(text('Dockerfile'), new RegExp(`--uid ${uid} --gid ${gid} `))
  }
})
