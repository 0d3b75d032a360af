/** Runs the engine contract over both implementations. */
import test from 'ava'
import { builtEngine, type EngineName } from '../support/engines.ts'
import { engineContract } from './engine.ts'

const names: EngineName[] = ['reference', 'fast']
const built = await Promise.all(names.map(async (name) => ({ name, open: await builtEngine(name) })))

for (const { name, open } of built) {
  // CI builds both; elsewhere the fast one may be impossible to build.
  if (open === undefined) test.skip(`${name}: has not been built`, () => {})
  else engineContract(test, name, open)
}
