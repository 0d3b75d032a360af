/** Making service users: cut off after any step and done again, twice at once, and in a data folder of an older version. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ApiClient } from '../../cli/api-client.ts'
import { servicePolicies } from '../../cli/service-policies.ts'
import { serviceCredentials, setUpServiceUser } from '../../cli/service-user.ts'
import { Client, type Credentials } from '../support/client.ts'
import { newFolder } from '../support/keystead.ts'
import { exampleText } from '../support/policy-examples.ts'
import { newDataDir, startService, type Service } from '../support/service.ts'

interface User {
  userId: string
  userName: string
  apiKeys: object[]
}
interface Policy {
  policyName: string
  consensus: string
  condition: string
}

const values = {
  relayers: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  chainId: '84532',
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  gasLimitMax: '400000',
  feeCeiling: '5',
  cancelFeeCeiling: '10',
}
const policiesFor = (userId: string) => servicePolicies(exampleText('x402-key'), values, userId)

/** Dies before or after one of its submits takes effect. */
class DyingClient extends ApiClient {
  private left: number
  private readonly dies: 'before' | 'after'
  constructor(baseUrl: string, credentials: Credentials, place: number, dies: 'before' | 'after') {
    super(baseUrl, credentials)
    this.left = place
    this.dies = dies
  }

  override async submit(...call: Parameters<ApiClient['submit']>): ReturnType<ApiClient['submit']> {
    const isLast = --this.left === 0
    if (isLast && this.dies === 'before') throw new Error('died')
    const result = await super.submit(...call)
    if (isLast) throw new Error('died')
    return result
  }
}

async function found(client: Client, name: string): Promise<{ users: User[]; policies: Policy[]; activities: number }> {
  const [users, policies, activities] = await Promise.all([
    client.query('list_users'),
    client.query('list_policies'),
    client.query('list_activities', { paginationOptions: { limit: '100' } }),
  ])
  const named = (users.json.users as User[]).filter(({ userName }) => userName === name)
  const own = (policies.json.policies as Policy[]).filter(({ consensus }) =>
    named.some(({ userId }) => consensus.includes(userId)),
  )
  return { users: named, policies: own, activities: activities.json.activities.length }
}

let service: Service
test.before(async () => {
  service = await startService()
})
test.after.always(() => service.dispose())

for (const place of [1, 2, 3]) {
  for (const dies of ['before', 'after'] as const) {
    test.serial(`cut off ${dies} step ${place}, it is carried on and done once`, async (t) => {
      const { baseUrl, operator } = service.dev
      const file = join(newFolder(t), 'key.json')
      const name = `${dies} ${place}`
      const run = (client: ApiClient) =>
        setUpServiceUser(client, name, serviceCredentials(file, operator.organizationId), policiesFor)
      await t.throwsAsync(run(new DyingClient(baseUrl, operator, place, dies)), { message: 'died' })
      const userId = await run(new ApiClient(baseUrl, operator))
      const client = new Client(baseUrl, operator)
      const { users, policies, activities } = await found(client, name)
      t.deepEqual([users.length, users[0]?.userId, users[0]?.apiKeys.length, policies.length], [1, userId, 1, 3])
      const own = new Client(baseUrl, JSON.parse(readFileSync(file, 'utf8')) as Credentials)
      t.is((await own.query('whoami')).json.userId, userId)
      t.is(await run(new ApiClient(baseUrl, operator)), userId)
      t.is((await found(client, name)).activities, activities, 'nothing was left to do')
    })
  }
}

test.serial('twice at once is once', async (t) => {
  const { baseUrl, operator } = service.dev
  const credentials = serviceCredentials(join(newFolder(t), 'key.json'), operator.organizationId)
  const run = () => setUpServiceUser(new ApiClient(baseUrl, operator), 'both', credentials, policiesFor)
  const [one, other] = await Promise.all([run(), run()])
  t.is(one, other)
  const { users, policies } = await found(new Client(baseUrl, operator), 'both')
  t.deepEqual([users.length, users[0]?.apiKeys.length, policies.length], [1, 1, 3])
})

test.serial('a root user, a foreign key file and a deleted user are refused', async (t) => {
  const { baseUrl, operator } = service.dev
  const folder = newFolder(t)
  const root = new ApiClient(baseUrl, operator)
  const run = (name: string, file: string) =>
    setUpServiceUser(root, name, serviceCredentials(join(folder, file), operator.organizationId), policiesFor)
  await t.throwsAsync(run('root', 'a.json'), { name: 'CliError', message: /is a root user/ })
  writeFileSync(join(folder, 'b.json'), 'no JSON')
  t.throws(() => serviceCredentials(join(folder, 'b.json'), operator.organizationId), { message: /does not hold/ })
  t.throws(() => serviceCredentials(join(folder, 'a.json'), service.dev.organizationId), { message: /does not hold/ })
  const userId = await run('gone', 'c.json')
  await root.submit('ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] }, Date.now())
  await t.throwsAsync(run('gone', 'c.json'), { name: 'CliError', message: /was deleted/ })
})

test.serial(
  'a data folder of an older version gets its service users, and changed settings reach the policies',
  async (t) => {
    const dataDir = newDataDir()
    t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
    // As older versions left it: the organizations, and the root key in the file for the gateway.
    const older = await startService({ dataDir })
    await older.stop()
    const plugins = ['x402', 'gas-relay']
    const keyFile = (plugin: string) => join(dataDir, `dev-service-${plugin}.json`)
    plugins.forEach((plugin) => rmSync(keyFile(plugin)))
    const formerFile = join(dataDir, 'dev-service-key.json')
    writeFileSync(formerFile, JSON.stringify(older.dev.operator))

    const read = () => plugins.map((plugin) => readFileSync(keyFile(plugin), 'utf8'))
    const start = async (environment: Record<string, string>) => {
      const started = await startService({ dataDir, environment: { KEYSTEAD_LOCAL_CHAIN: 'on', ...environment } })
      try {
        const client = new Client(started.dev.baseUrl, started.dev.operator)
        return { keys: read(), x402: await found(client, 'x402'), relay: await found(client, 'gas-relay') }
      } finally {
        await started.stop()
      }
    }
    const first = await start({})
    t.false(existsSync(formerFile))
    t.false(first.keys.some((text) => text.includes(older.dev.operator.apiPrivateKey)))
    for (const { users, policies } of [first.x402, first.relay]) {
      t.deepEqual([users.length, users[0]?.apiKeys.length, policies.length], [1, 1, 3])
    }
    const second = await start({ KEYSTEAD_X402_FEE_CEILING: '1234567' })
    t.deepEqual(second.keys, first.keys)
    t.deepEqual(second.relay.policies, first.relay.policies)
    t.deepEqual(second.x402.users, first.x402.users)
    const ceilings = second.x402.policies.map(({ condition }) => /max_fee_per_gas <= (\d+)/.exec(condition)?.[1])
    t.deepEqual(ceilings, ['1234567', '2469134', undefined])
  },
)
