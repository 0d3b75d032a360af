/** Names lead to every key that has them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { KeyNames } from '../../../gateway/key-names/key-names.ts'
import { openStore } from '../../../gateway/store/open-store.ts'

async function openNames(t: ExecutionContext): Promise<KeyNames> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-names-'))
  const store = await openStore({ dataDir })
  t.teardown(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  return new KeyNames(store)
}

test('two keys of one name, oldest first, until one is removed', async (t) => {
  const names = await openNames(t)
  await names.add('o', ['0xAB', '02cd'], 'first')
  await names.add('o', ['0xab'], 'second')
  await names.add('o', ['0xAb', '0xaB'], 'second')
  t.deepEqual(await names.keyIds('o', '0xaB'), ['first', 'second'])
  await names.remove('o', ['0xAB', '02cd', 'never there'], 'first')
  await names.remove('o', ['0xAB', '02cd'], 'first')
  t.deepEqual(await names.keyIds('o', '0xab'), ['second'])
  t.deepEqual(await names.keyIds('o', '02CD'), [])
  t.deepEqual(await names.keyIds('other', '0xab'), [])
})

test('of many that come at once none is lost', async (t) => {
  const names = await openNames(t)
  const ids = Array.from({ length: 20 }, (_, i) => `key ${i}`)
  await Promise.all(ids.map((id) => names.add('o', ['name'], id)))
  t.deepEqual((await names.keyIds('o', 'name')).toSorted(), ids.toSorted())
  await Promise.all(ids.slice(1).map((id) => names.remove('o', ['name'], id)))
  t.deepEqual(await names.keyIds('o', 'name'), ids.slice(0, 1))
})
