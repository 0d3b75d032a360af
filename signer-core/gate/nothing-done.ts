import type { OutcomeStatus } from '../protocol/messages.ts'
import type { Evaluated } from './evaluation.ts'
import type { Decided } from './receipt.ts'

/** What is decided without any effect. */
export function nothingDone(
  status: OutcomeStatus,
  { evaluation, evaluationDigest }: Evaluated,
  organizationVersion: number,
): Decided {
  return {
    status,
    result: '{}',
    evaluation,
    evaluationDigest,
    newKeys: [],
    newWallets: [],
    changes: '[]',
    importTarget: undefined,
    organization: undefined,
    newOrganization: undefined,
    organizationVersion,
  }
}
