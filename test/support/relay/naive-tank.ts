/** The tank once more, with a few bigints and no store: what the real one must agree with after every operation. */
export type Step =
  | { kind: 'deposit'; subject: string; amount: bigint }
  | { kind: 'reserve'; subject: string; epoch: number; amount: bigint }
  | { kind: 'settle'; subject: string; epoch: number; amount: bigint }
  | { kind: 'release' | 'reverse'; subject: string; epoch: number }

interface Row {
  held: bigint
  paid: bigint
}

export class NaiveTank {
  deposited = 0n
  debited = 0n
  reserved = 0n
  private readonly rows = new Map<string, Row>()
  /** What was done, with the amount: it is not done again. */
  private readonly done = new Map<string, bigint>()

  get balance(): bigint {
    return this.deposited - this.debited - this.reserved
  }

  /** @returns whether there was enough; a repeat is answered like the first time. */
  do(step: Step): boolean {
    const amount = 'amount' in step ? step.amount : 0n
    const name = `${step.kind} ${step.subject} ${'epoch' in step ? step.epoch : ''}`
    const before = this.done.get(name)
    if (before !== undefined) return step.kind !== 'deposit' || before === amount
    if (step.kind === 'reserve' && amount > this.balance) return false
    this.done.set(name, amount)
    if (step.kind === 'deposit') this.deposited += amount
    else this.change(step, amount)
    return true
  }

  private change({ kind, subject }: Step, amount: bigint): void {
    const { held, paid } = this.rows.get(subject) ?? { held: 0n, paid: 0n }
    const affordable = this.balance + held
    const cost = amount < affordable ? amount : affordable
    const next = {
      deposit: { held, paid },
      reserve: { held: held + amount, paid },
      release: { held: 0n, paid },
      settle: { held: 0n, paid: paid + cost },
      reverse: { held: held + paid, paid: 0n },
    }[kind]
    this.reserved += next.held - held
    this.debited += next.paid - paid
    this.rows.set(subject, next)
  }
}
