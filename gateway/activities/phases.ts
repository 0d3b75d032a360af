/**
 * The life of an activity, as one table. `executed` exists because the outcome of an activity is fixed by one
 * compare-and-set, before the records that it changes are written from it.
 */
export const phases = {
  /** Stored; the signer's answer is not. */
  accepted: {
    status: 'ACTIVITY_STATUS_PENDING',
    leadsTo: ['executed', 'waiting', 'completed', 'failed', 'refused'],
  },
  /** For votes; nothing is done before one comes in. */
  waiting: { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', leadsTo: ['voted'] },
  /** A vote has come in; the signer's answer to it is not stored. */
  voted: {
    status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    leadsTo: ['voted', 'executed', 'waiting', 'completed', 'rejected', 'failed'],
  },
  /** The outcome is stored; the records that follow from it are being written. */
  executed: { status: 'ACTIVITY_STATUS_PENDING', leadsTo: ['completed'] },
  completed: { status: 'ACTIVITY_STATUS_COMPLETED', leadsTo: [] },
  rejected: { status: 'ACTIVITY_STATUS_REJECTED', leadsTo: [] },
  failed: { status: 'ACTIVITY_STATUS_FAILED', leadsTo: [] },
  /** Answered as an HTTP error; kept for the audit, no activity for clients. */
  refused: { status: undefined, leadsTo: [] },
} as const satisfies Record<string, { status: string | undefined; leadsTo: readonly string[] }>

export type ActivityPhase = keyof typeof phases

/** What has begun and can be carried on now. What a stopped process leaves in these is recovered. */
export const activePhases = ['accepted', 'voted', 'executed'] as const satisfies readonly ActivityPhase[]

/** Nothing can be done now: it has ended, or others must vote first. */
export function rests(phase: ActivityPhase): boolean {
  return phase === 'waiting' || isFinal(phase)
}

/** The signer is still to be asked. */
export function isUndecided(phase: ActivityPhase): boolean {
  return phase === 'accepted' || phase === 'voted'
}

export function isFinal(phase: ActivityPhase): boolean {
  return phases[phase].leadsTo.length === 0
}

export function mayLeadTo(from: ActivityPhase, to: ActivityPhase): boolean {
  const targets: readonly string[] = phases[from].leadsTo
  return targets.includes(to)
}
