/**
 * Nests engine and gate in one outer component. The gate's only import is the engine, the engine's only import is
 * `entropy`; exported are the gate and, past it, the engine's vault, so that the data key never enters QuickJS
 * of the gate. The engine itself and each component's `init` stay hidden inside.
 */
import { parse, print } from '@bytecodealliance/jco'

const OUTER_HEAD = `(component
  (type $entropy-type (instance
    (type $bytes (list u8))
    (export "fill" (func (param "length" u32) (result $bytes)))))
  (import "keystead:engine/entropy@0.1.0" (instance $entropy (type $entropy-type)))
`

const OUTER_TAIL = `
  (instance $engine (instantiate $engine-component (with "keystead:engine/entropy@0.1.0" (instance $entropy))))
  (alias export $engine "keystead:engine/engine@0.1.0" (instance $engine-interface))
  (alias export $engine "keystead:engine/vault@0.1.0" (instance $vault-interface))
  (instance $gate (instantiate $gate-component (with "keystead:engine/engine@0.1.0" (instance $engine-interface))))
  (alias export $gate "keystead:signer/gate@0.1.0" (instance $gate-interface))
  (export "keystead:signer/gate@0.1.0" (instance $gate-interface))
  (export "keystead:engine/vault@0.1.0" (instance $vault-interface))
)
`

export async function compose(engine: Uint8Array, gate: Uint8Array): Promise<Uint8Array> {
  const nested = [await nest(engine, '$engine-component'), await nest(gate, '$gate-component')]
  return parse(`${OUTER_HEAD}${nested.join('\n')}${OUTER_TAIL}`)
}

async function nest(component: Uint8Array, name: string): Promise<string> {
  const text = await print(component)
  if (!text.startsWith('(component')) throw new Error('not a component')
  return `(component ${name}${text.slice('(component'.length).trimEnd()}`
}
