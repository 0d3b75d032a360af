/** Runs the engine contract over both implementations. */
import test from 'ava'
import { builtEngine, type EngineName } from '../support/engines.ts'
import { engineContract } from './engine.ts'

const names: EngineName[] = ['reference', 'fast']
const built = await Promise.all(names.map(async (name) => ({ name, open: await builtEngine(name) })))

for (const { name, open } of built) {
  const required = process.env['KEYSTEAD_SIGNER_ENGINE'] === name
  if (open === undefined && required) test(`${name}: has been built`, (t) => t.fail())
  // Where apt has no sources the fast engine cannot be built. Whoever asks for it, as CI does, gets the failure above.
  else if (open === undefined) test.skip(`${name}: has not been built`, () => {})
  else engineContract(test, name, open)
}
