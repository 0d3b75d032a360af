/**
 * When to look at the chain next. Chains differ in how soon they mine, so after something was given to the nodes the first
 * looks follow each other quickly, each pause twice the one before, up to the usual one.
 */

/** Of the usual pause: the first of the quick ones. */
const QUICK_PART = 32

export class LookPace {
  private readonly pollMs: number
  private pauseMs: number
  private wholeAtMs = -Infinity

  /** @param pollMs The usual pause. */
  constructor(pollMs: number) {
    this.pollMs = pollMs
    this.pauseMs = pollMs
  }

  /** Something may be mined soon. */
  quicken(): void {
    this.pauseMs = Math.max(1, this.pollMs / QUICK_PART)
  }

  /** How long until the next look, in ms. */
  nextPauseMs(): number {
    const pauseMs = this.pauseMs
    this.pauseMs = Math.min(2 * pauseMs, this.pollMs)
    return pauseMs
  }

  /** Whether to look at everything, also where the head is the one of the last time. */
  isWholeDue(): boolean {
    return performance.now() - this.wholeAtMs >= this.pollMs
  }

  wholeDone(): void {
    this.wholeAtMs = performance.now()
  }
}
