import { baseOf, type Types } from './types.ts'

/**
 * `encodeType` of EIP-712: the struct itself, then all structs that it refers to, sorted by name.
 * @param name A struct of `types`.
 */
export function encodeType(name: string, types: Types): string {
  const others = [...reachedFrom(name, types)].filter((each) => each !== name).toSorted()
  return [name, ...others].map((each) => structText(each, types)).join('')
}

function structText(name: string, types: Types): string {
  const members = types.get(name) ?? []
  return `${name}(${members.map((each) => `${each.typeText} ${each.name}`).join(',')})`
}

/** Structs may refer to each other in circles. */
function reachedFrom(name: string, types: Types): Set<string> {
  const reached = new Set([name])
  // A set walks over what is added on the way.
  for (const each of reached) {
    for (const { type } of types.get(each) ?? []) {
      const base = baseOf(type)
      if (base.kind === 'struct') reached.add(base.name)
    }
  }
  return reached
}
