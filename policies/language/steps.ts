import { evaluationErrors } from './errors.ts'

/** Counts work down. */
export class Steps {
  private remaining: number
  /** Of the part that is under way: below it, it has done too much. */
  private floor = 0
  constructor(max: number) {
    this.remaining = max
  }

  get left(): number {
    return this.remaining < this.floor ? this.floor : this.remaining
  }

  /** @throws {EvaluationError} `too_many_steps`. */
  spend(count: number): void {
    this.remaining -= count
    if (this.remaining < this.floor) throw evaluationErrors.too_many_steps
  }

  /** Ends the part before, whether it ended well or not, and begins one of which no more than `max` may be done. */
  beginPart(max: number): void {
    this.remaining = this.left
    this.floor = this.remaining > max ? this.remaining - max : 0
  }

  /** What follows has only the limit of the whole. */
  endPart(): void {
    this.remaining = this.left
    this.floor = 0
  }
}
