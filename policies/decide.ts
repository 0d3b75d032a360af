/**
 * The decision on one activity: facts in, decision out; no clock, no I/O. It counts when it runs inside the signer;
 * anywhere else it only explains.
 *
 * Order: the root quorum is asked first; nothing else allows yet, so everybody else is denied by default.
 */
export interface DecisionFacts {
  /** Users whose stamps speak for the activity; the submitter is the first. */
  approverIds: string[]
  rootQuorum: { threshold: number; userIds: string[] }
}

export type Decision =
  | { outcome: 'allow'; policyIds: string[] }
  | { outcome: 'deny_implicit' }
  | { outcome: 'needs_approvals'; approvals: number; threshold: number }

export function decide({ approverIds, rootQuorum }: DecisionFacts): Decision {
  const approvals = new Set(approverIds.filter((userId) => rootQuorum.userIds.includes(userId))).size
  if (approvals === 0) return { outcome: 'deny_implicit' }
  if (approvals < rootQuorum.threshold) {
    return { outcome: 'needs_approvals', approvals, threshold: rootQuorum.threshold }
  }
  return { outcome: 'allow', policyIds: [] }
}
