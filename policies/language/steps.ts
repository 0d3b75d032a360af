import { EvaluationError } from './errors.ts'

/** Counts work down. */
export class Steps {
  private remaining: number
  constructor(max: number) {
    this.remaining = max
  }

  get left(): number {
    return Math.max(0, this.remaining)
  }

  /** @throws {EvaluationError} `too_many_steps`. */
  spend(count: number): void {
    this.remaining -= count
    if (this.remaining < 0) throw new EvaluationError('too_many_steps')
  }

  /** Work of which no more than `max` may be done; it is taken from here, whether it ends well or not. */
  part<T>(max: number, work: (steps: Steps) => T): T {
    const allowed = Math.min(max, this.left)
    const part = new Steps(allowed)
    try {
      return work(part)
    } finally {
      this.remaining -= allowed - part.left
    }
  }
}
