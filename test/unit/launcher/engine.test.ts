import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { chooseEngine, statusOf } from '../../../signer-core/launcher/engine.ts'

/** A folder with built signers of these engines. */
function distWith(...names: string[]): string {
  const path = mkdtempSync(join(tmpdir(), 'ks-dist-'))
  for (const name of names) {
    mkdirSync(join(path, name))
    writeFileSync(join(path, name, 'manifest.json'), '{}')
  }
  return path
}

test('auto takes the fast engine when it is there, and says how to get it when not', (t) => {
  const both = distWith('reference', 'fast')
  t.deepEqual(chooseEngine('auto', both), { name: 'fast', dist: join(both, 'fast') })
  const one = distWith('reference')
  const chosen = chooseEngine('auto', one)
  t.like(chosen, { name: 'reference', dist: join(one, 'reference') })
  t.regex(chosen.fasterWith ?? '', /npm run build:engine/)
  t.deepEqual(statusOf(chosen, 'ab', 0), {
    engine: 'reference',
    componentDigest: 'ab',
    readyHosts: 0,
    fasterWith: chosen.fasterWith as string,
  })
})

test('who names an engine gets it or nothing', (t) => {
  const both = distWith('reference', 'fast')
  const reference = chooseEngine('reference', both)
  t.deepEqual(reference, { name: 'reference', dist: join(both, 'reference') })
  t.deepEqual(statusOf(reference, 'ab', 2), { engine: 'reference', componentDigest: 'ab', readyHosts: 2 })
  t.is(chooseEngine('fast', both).name, 'fast')
  t.throws(() => chooseEngine('fast', distWith('reference')), { name: 'StartError', message: /build:engine/ })
})

test('half a build is none', (t) => {
  const path = distWith('reference')
  mkdirSync(join(path, 'fast.fresh'))
  mkdirSync(join(path, 'fast'))
  t.is(chooseEngine('auto', path).name, 'reference')
})
