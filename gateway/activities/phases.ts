/**
 * The life of an activity, as one table. `executed` exists because the outcome of an activity is fixed by one
 * compare-and-set, before the records that it changes are written from it.
 */
export const phases = {
  /** Stored; the signer's answer is not. */
  accepted: { status: 'ACTIVITY_STATUS_PENDING', leadsTo: ['executed', 'completed', 'failed', 'refused'] },
  /** The outcome is stored; the records that follow from it are being written. */
  executed: { status: 'ACTIVITY_STATUS_PENDING', leadsTo: ['completed'] },
  completed: { status: 'ACTIVITY_STATUS_COMPLETED', leadsTo: [] },
  failed: { status: 'ACTIVITY_STATUS_FAILED', leadsTo: [] },
  /** Answered as an HTTP error; kept for the audit, no activity for clients. */
  refused: { status: undefined, leadsTo: [] },
} as const satisfies Record<string, { status: string | undefined; leadsTo: readonly string[] }>

export type ActivityPhase = keyof typeof phases

export function isFinal(phase: ActivityPhase): boolean {
  return phases[phase].leadsTo.length === 0
}

export function mayLeadTo(from: ActivityPhase, to: ActivityPhase): boolean {
  const targets: readonly string[] = phases[from].leadsTo
  return targets.includes(to)
}
