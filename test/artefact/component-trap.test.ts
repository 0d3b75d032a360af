/** A trap in the engine, in the middle of the gate's call: nothing enters that instance any more. */
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { Bench } from '../support/component.ts'

test('after a trap in the engine the gate cannot be called any more', async (t) => {
  let lacking = 0
  const fill = (length: number) => Uint8Array.from(randomBytes(length - lacking))
  const bench = await Bench.open(Uint8Array.from(randomBytes(32)), undefined, fill)
  t.is(bench.create('CURVE_ED25519').key.curve, 'ed25519')

  // What no host does: the engine takes it for a bug.
  lacking = 1
  const trapped = t.throws(() => bench.create('CURVE_ED25519'), { any: true })
  t.false('payload' in (trapped as object))

  lacking = 0
  const refused = { message: /cannot enter component instance/ }
  t.throws(() => bench.create('CURVE_ED25519'), refused)
  t.throws(() => bench.component.gate.identity(), refused)
})
