/** Whether the `time` of a policy holds, for people who ask; the decision evaluates it itself. */
import { keywords } from './facts/schema.ts'
import { checkExpression } from './language/check.ts'
import { EvaluationError, ExpressionError } from './language/errors.ts'
import { evaluate } from './language/evaluate.ts'
import { EVALUATION_STEPS_MAX } from './language/limits.ts'
import { parseExpression } from './language/parser.ts'
import { Steps } from './language/steps.ts'

export interface PolicyActivity {
  active: boolean
  /** Why it cannot be told; such a policy is not active. */
  error?: string
}

/** @param time Expression; empty holds always. @param nowMs Milliseconds since the epoch. */
export function policyActivity(time: string, nowMs: number): PolicyActivity {
  if (/^[ \t\r\n]*$/.test(time)) return { active: true }
  try {
    const node = parseExpression(time)
    checkExpression(node, keywords.time)
    const facts = new Map([['time', new Map([['now', nowMs]])]])
    return { active: evaluate(node, facts, new Steps(EVALUATION_STEPS_MAX)) }
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof EvaluationError)
      return { active: false, error: error.message }
    throw error
  }
}
