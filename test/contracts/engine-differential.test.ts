/**
 * Random operations, valid and spoilt, by both engines: results and faults equal bit for bit. KEYSTEAD_DIFFERENTIAL_COUNT
 * says how many of each kind, KEYSTEAD_TEST_SEED repeats a run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { DifferentialResult } from '../support/differential.ts'
import { enginePath } from '../support/engines.ts'
import { kinds } from '../support/random-operations.ts'
import { seedOfRun } from '../support/seeded-random.ts'

const COUNT = process.env['KEYSTEAD_DIFFERENTIAL_COUNT'] ?? '500'

async function run(seed: number, count: string): Promise<DifferentialResult[]> {
  const script = join(import.meta.dirname, '../support/differential.ts')
  const child = spawn(process.execPath, [script, String(seed), count], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the comparison ended with code ${code} after:\n${output}`)
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as DifferentialResult)
}

const runOrSkip = existsSync(enginePath('fast')) ? test : test.skip

runOrSkip('both engines agree on every random operation', async (t) => {
  t.timeout(Number(COUNT) * 1_000)
  const seed = seedOfRun()
  t.log(`seed ${seed}, ${COUNT} of each kind`)
  const results = await run(seed, COUNT)
  t.deepEqual(
    results.map(({ kind }) => kind),
    Object.keys(kinds),
  )
  for (const { kind, difference } of results) t.is(difference, undefined, kind)
  const operations = results.reduce((sum, { count }) => sum + count, 0)
  const refused = results.reduce((sum, each) => sum + each.refused, 0)
  // Both ways are taken: some are refused, most are not.
  t.true(refused > 0 && refused < operations / 2)
})
