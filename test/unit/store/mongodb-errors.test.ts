/** What the driver throws, in the words of the port: which key, and nothing of what was asked for. */
import test from 'ava'
import { MongoNetworkError, MongoServerError } from 'mongodb'
import { asUnavailable, takenKey } from '../../../gateway/store/mongodb/mongodb-errors.ts'
import { openMongodbStore } from '../../../gateway/store/mongodb/open-mongodb-store.ts'
import {
  DuplicateKeyError,
  StoreMisuseError,
  StoreUnavailableError,
  StoreUrlError,
} from '../../../gateway/store/store-errors.ts'

const spec = { name: 'jobs', unique: [['a', 'b'], ['slot']], indexes: [] }
const duplicate = (index: string) =>
  new MongoServerError({
    message: `E11000 duplicate key error collection: k.jobs index: ${index} dup key: { a: " index: unique_slot dup key" }`,
    code: 11_000,
  })

test('a taken key is named by its fields, whatever the values say', (t) => {
  t.is(takenKey(spec, duplicate('unique_a_b')), 'a,b')
  t.is(takenKey(spec, duplicate('unique_slot')), 'slot')
  t.is(takenKey(spec, duplicate('_id_')), '_id')
  t.is(takenKey(spec, new MongoServerError({ message: 'no primary', code: 10_107 })), undefined)
  t.is(takenKey(spec, new Error('E11000')), undefined)
})

test('what the driver throws is "cannot be reached", a bug stays a bug', (t) => {
  const lost = asUnavailable('jobs', new MongoNetworkError('connection 1 to SECRET closed'))
  t.true(lost instanceof StoreUnavailableError)
  t.is((lost as Error).message, 'jobs cannot be reached')
  const unknown = Object.assign(new Error('querySrv ENOTFOUND _mongodb._tcp.SECRET'), { syscall: 'querySrv' })
  t.is((asUnavailable('jobs', unknown) as Error).message, 'jobs cannot be reached')
  for (const error of [new DuplicateKeyError('jobs', '_id'), new StoreMisuseError('x'), new TypeError('a bug')]) {
    t.is(asUnavailable('jobs', error), error)
  }
})

test('a URL that is none is refused without being shown', (t) => {
  const url = 'mongodb://user:SECRET@host/keystead?noSuchOption=1'
  const error = t.throws(() => openMongodbStore({ url, collections: [] }), { instanceOf: StoreUrlError })
  t.false(error?.message.includes('SECRET'))
})
