/** Nonces of one relayer: given out once each, given back, filled, left behind, taken back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Lanes } from '../../../gateway/chains/sending/lanes.ts'
import { openSendingStore } from '../../support/sending.ts'

const ID = 'eip155:84532/00000000/0xaa'
const always = (): boolean => true

async function laneAt(t: ExecutionContext, count: number): Promise<Lanes> {
  const folder = mkdtempSync(join(tmpdir(), 'ks-lanes-'))
  const store = openSendingStore(folder)
  t.teardown(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const lanes = new Lanes(store)
  await lanes.open(ID, count)
  return lanes
}

test('each send has one nonce, the next one from where the chain stood', async (t) => {
  const lanes = await laneAt(t, 7)
  const sends = Array.from({ length: 50 }, (_, i) => `send ${i % 25}`)
  const nonces = await Promise.all(sends.map((send) => lanes.claim(ID, send, always)))
  t.deepEqual(
    [...new Set(nonces)].toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: 25 }, (_, i) => 7 + i),
  )
  t.deepEqual(nonces.slice(0, 25), nonces.slice(25))
  t.is((await lanes.open(ID, 99)).floor, 7, 'a lane that is there is not moved')
})

test('without room there is no nonce, except for who has one', async (t) => {
  const lanes = await laneAt(t, 0)
  const hasRoom = (slots: readonly unknown[]): boolean => slots.length < 1
  t.is(await lanes.claim(ID, 'a', hasRoom), 0)
  t.is(await lanes.claim(ID, 'b', hasRoom), undefined)
  t.is(await lanes.claim(ID, 'a', hasRoom), 0)
})

test('a nonce that was given back goes to the next, and only its holder gives it back', async (t) => {
  const lanes = await laneAt(t, 0)
  for (const send of ['a', 'b', 'c']) await lanes.claim(ID, send, always)
  await lanes.giveBack(ID, 1, 'a')
  t.deepEqual((await lanes.load(ID)).slots, ['a', 'b', 'c'])
  await lanes.giveBack(ID, 1, 'b')
  t.deepEqual((await lanes.load(ID)).slots, ['a', null, 'c'])
  t.is(await lanes.claim(ID, 'd', always), 1)
  await lanes.giveBack(ID, 1, 'd')
  await lanes.giveBack(ID, 2, 'c')
  t.deepEqual((await lanes.load(ID)).slots, ['a'], 'what lies free at the end is no gap')
  t.is(await lanes.claim(ID, 'e', always), 1)
})

test('a gap is filled once', async (t) => {
  const lanes = await laneAt(t, 5)
  for (const send of ['a', 'b']) await lanes.claim(ID, send, always)
  await lanes.giveBack(ID, 5, 'a')
  t.deepEqual(await Promise.all(['x', 'y'].map((fill) => lanes.fill(ID, 5, fill))), [true, false])
  t.deepEqual((await lanes.load(ID)).slots, ['x', 'b'])
})

test('only what is at the front is left behind, and it can be taken back', async (t) => {
  const lanes = await laneAt(t, 0)
  for (const send of ['a', 'b', 'c', 'd']) await lanes.claim(ID, send, always)
  await lanes.leaveBehind(ID, new Set(['a', 'b', 'd']))
  t.like(await lanes.load(ID), { floor: 2, slots: ['c', 'd'] })
  await lanes.takeBack(ID, 0, ['a'])
  t.like(await lanes.load(ID), { floor: 2 }, 'a list of another length is not what was left behind')
  await lanes.takeBack(ID, 0, ['a', 'b'])
  t.like(await lanes.load(ID), { floor: 0, slots: ['a', 'b', 'c', 'd'] })
})
