import type { OutcomeStatus } from '../protocol/messages.ts'
import type { Decided } from './receipt.ts'
import type { Notarized } from './wit-types.ts'

/** What is decided without any effect. */
export function nothingDone(status: OutcomeStatus, evaluation: Notarized, organizationVersion: number): Decided {
  return {
    status,
    result: '{}',
    evaluation,
    newKeys: [],
    newWallets: [],
    changes: '[]',
    importTarget: undefined,
    organization: undefined,
    newOrganization: undefined,
    organizationVersion,
  }
}
