/** Whose voice counts while an activity waits: who may approve it, and who may end it by rejecting. */
import { consensusOutlook, type Votes } from './consensus.ts'
import type { DecisionRequest } from './decision.ts'
import { DECISION_STEPS_MAX } from './language/limits.ts'
import { Steps } from './language/steps.ts'
import type { Node } from './language/syntax.ts'
import type { Struct } from './language/values.ts'
import { PolicyJudge, unlessError } from './policy-judge.ts'
import type { CompiledPolicy } from './policy.ts'

/**
 * Members of the root quorum, and whoever the consensus of an ALLOW policy asks for that needs nothing else to match.
 * Those who have voted are among them when their vote counts.
 */
export function voicesThatCount(policies: readonly CompiledPolicy[], request: DecisionRequest): string[] {
  const others = request.others()
  const userIds = [...new Set([...request.votes.approvers, ...others.approvers].map(idOf))]
  const isRoot = (userId: string) => request.rootQuorum.userIds.includes(userId)
  if (request.rootQuorumOnly) return userIds.filter(isRoot)
  const steps = new Steps(DECISION_STEPS_MAX)
  const voterIds = new Set(request.votes.approvers.map(idOf))
  const open = request
    .facts()
    .flatMap((facts) => new PolicyJudge(request, facts, voterIds, steps).openConsensus(policies))
  return userIds.filter((userId) => isRoot(userId) || asks(open, userId, request.votes, others, steps))
}

/** Whether some consensus asks for this user and could hold with their vote. */
function asks(open: Node[], userId: string, votes: Votes, others: Votes, steps: Steps): boolean {
  const isOwn = (item: Struct) => idOf(item) === userId
  const isOwnCredential = (item: Struct) => item.get('user_id') === userId
  const split = (items: readonly Struct[], is: (item: Struct) => boolean) =>
    [items.filter(is), items.filter((item) => !is(item))] as const
  const [approver, otherApprovers] = split(others.approvers, isOwn)
  const [credentials, otherCredentials] = split(others.credentials, isOwnCredential)
  const withVote = {
    approvers: [...votes.approvers, ...approver],
    credentials: [...votes.credentials, ...credentials],
  }
  const rest = { approvers: otherApprovers, credentials: otherCredentials }
  return open.some((node) =>
    unlessError(false, () => {
      const { canHold, votesCount } = consensusOutlook(node, withVote, rest, new Set([userId]), steps)
      return canHold && votesCount
    }),
  )
}

function idOf(item: Struct): string {
  return item.get('id') as string
}
