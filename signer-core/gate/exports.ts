/** Entry of the gate: `wit/gate.wit`. */
import '../guest/lockdown.ts'
import { identity } from 'keystead:engine/engine@0.1.0'
import { guarded } from './border.ts'
import { foundOrganization } from './found-organization.ts'
import { perform } from './perform.ts'
import { simulate } from './simulate.ts'

export const gate = {
  perform: guarded(perform),
  simulate: guarded(simulate),
  foundOrganization: guarded(foundOrganization),
  identity,
}
