/**
 * Loaded into a real gateway or worker before its own code (`node --import`): it then kills itself with SIGKILL right after
 * one named effect on store, signer or chain, which is also right before the next one.
 *
 * Over IPC comes `{ dieAfter }`: from now on effects count, and the first of that name is the last; an empty name lets
 * it live. The answer is `{ armed: true }`. `KEYSTEAD_TEST_DIE_AFTER` says it from the start. Each effect is a line of the file `KEYSTEAD_TEST_EFFECTS`.
 */
import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Collection } from 'mongodb'
import { SignerClient } from '../../gateway/signer-client/signer-client.ts'
import { effectOf } from './effect-names.ts'

const file = process.env['KEYSTEAD_TEST_EFFECTS'] as string
/** What a node is asked for one send; the rest is asked all the time. */
const OF_A_SEND = new Set(['eth_estimateGas', 'eth_call', 'eth_sendRawTransaction', 'eth_getTransactionReceipt'])
let dieAfter = process.env['KEYSTEAD_TEST_DIE_AFTER']

process.on('message', (message: { dieAfter: string }) => {
  // What is killed writes no cache at its end.
  flushCompileCache()
  dieAfter = message.dieAfter
  process.send?.({ armed: true })
})

/** It has happened; nothing that follows from it has. */
function effect(name: string): void {
  if (dieAfter === undefined) return
  appendFileSync(file, `${name}\n`)
  if (name === dieAfter) process.kill(process.pid, 'SIGKILL')
}

type Method = (...all: unknown[]) => unknown

function wrap(owner: object, name: string, wrapped: (plain: Method, self: never, all: unknown[]) => unknown): void {
  const plain = Reflect.get(owner, name) as Method
  Reflect.set(owner, name, function (this: never, ...all: unknown[]) {
    return wrapped((...values) => Reflect.apply(plain, this, values), this, all)
  })
}

/** Of the SQLite transaction that is open: nothing has happened before it commits. */
let written: string[] = []
wrap(StatementSync.prototype, 'run', (plain, { sourceSQL }: StatementSync, values) => {
  const result = plain(...values) as { changes: number }
  const [, collection] = /^(?:insert into|update) "(\w+)"/.exec(sourceSQL) ?? []
  const text = values.find((value): value is string => typeof value === 'string' && value.startsWith('{'))
  if (collection !== undefined && text !== undefined && result.changes === 1) written.push(effectOf(collection, text))
  return result
})
wrap(DatabaseSync.prototype, 'exec', (plain, _, [sql]) => {
  plain(sql)
  const ended = written
  written = []
  if (sql === 'commit') ended.forEach(effect)
})

for (const [method, place] of [
  ['insertOne', 0],
  ['replaceOne', 1],
] as const) {
  wrap(Collection.prototype, method, async (plain, { collectionName }: Collection, values) => {
    const result = (await plain(...values)) as { matchedCount?: number }
    const { _json: text } = values[place] as { _json: string }
    if (result.matchedCount !== 0) effect(effectOf(collectionName, text))
    return result
  })
}

wrap(SignerClient.prototype, 'perform', async (plain, _, [call]) => {
  const answer = plain(call)
  // The connection is there by then, so the frame is on its way.
  await new Promise((resolve) => setImmediate(resolve))
  effect('signer asked')
  const said = await answer
  effect('signer answered')
  return said
})

wrap(globalThis, 'fetch', async (plain, _, [url, options]) => {
  const answer = await plain(url, options)
  const { method } = JSON.parse((options as { body: string }).body) as { method: string }
  if (OF_A_SEND.has(method)) effect(`node answered ${method}`)
  return answer
})
