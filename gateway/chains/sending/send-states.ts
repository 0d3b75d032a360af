/** The life of a send, as one table. */
import type { SendState } from '../sender.ts'

const leadsTo = {
  accepted: ['claimed', 'failed'],
  claimed: ['signed', 'failed'],
  signed: ['broadcast', 'included', 'replaced'],
  broadcast: ['included', 'replaced'],
  included: ['final', 'broadcast'],
  // Deeper reorganizations than the depth allows for do happen.
  final: ['broadcast'],
  replaced: ['broadcast'],
  failed: [],
} as const satisfies Record<SendState, readonly SendState[]>

export function mayLeadTo(from: SendState, to: SendState): boolean {
  const targets: readonly SendState[] = leadsTo[from]
  return from === to || targets.includes(to)
}
