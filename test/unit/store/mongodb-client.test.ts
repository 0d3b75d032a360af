/** A driver's client that finds no server or does not answer is replaced, once, and closed when its calls have ended. */
import test from 'ava'
import { MongoClient, MongoServerSelectionError } from 'mongodb'
import { RenewingClient } from '../../../gateway/store/mongodb/mongodb-client.ts'
import { StoreUnavailableError } from '../../../gateway/store/store-errors.ts'
import { freePort, until } from '../../support/processes.ts'

/** Nobody listens there. */
const port = await freePort()

function renewing(callMs: number) {
  const opened: MongoClient[] = []
  const closed = new Set<MongoClient>()
  const open = () => {
    // Named by its turn, so that a call can tell which it was given.
    const url = `mongodb://127.0.0.1:${port}/client${opened.length}`
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 50 })
    const close = client.close.bind(client)
    client.close = () => {
      closed.add(client)
      return close()
    }
    opened.push(client)
    return client
  }
  return { client: new RenewingClient({ open, callMs }), opened, closed }
}

const clientUsed = (client: RenewingClient) => client.run(async ({ databaseName }) => databaseName)

test('calls that found no server replace the client they had, once', async (t) => {
  const { client, opened, closed } = renewing(30_000)
  const ping = () => client.run((database) => database.command({ ping: 1 }))
  const errors = await Promise.all([ping(), ping(), ping()].map((call) => t.throwsAsync(call)))
  // The driver ends the others' waiting when the first has failed.
  t.true(errors.some((error) => error instanceof MongoServerSelectionError))
  t.is(opened.length, 2)
  t.is(await clientUsed(client), 'client1')
  await until('the end of the former client', () => closed.has(opened[0] as MongoClient))
  await client.close()
  t.deepEqual([...closed], opened)
})

test('a call that never ends is given up, and the client with it', async (t) => {
  const { client, opened, closed } = renewing(100)
  const slow = Promise.withResolvers<string>()
  const stuck = client.run(() => new Promise(() => undefined))
  await t.throwsAsync(stuck, { instanceOf: StoreUnavailableError, message: 'the database gave no answer in time' })
  t.is(opened.length, 2)
  const ending = client.run(() => slow.promise)
  slow.resolve('done')
  t.is(await ending, 'done')
  await client.close()
  t.deepEqual([...closed], opened)
})

test('what a server answers replaces nothing', async (t) => {
  const { client, opened } = renewing(30_000)
  await t.throwsAsync(
    client.run(() => Promise.reject(new Error('an answer'))),
    { message: 'an answer' },
  )
  t.is(opened.length, 1)
  t.is(await clientUsed(client), 'client0')
  await client.close()
})
