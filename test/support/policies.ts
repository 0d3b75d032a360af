/** Expressions from text to value, as tests want them. */
import { keywords, type PolicyField } from '../../policies/facts/schema.ts'
import { checkExpression } from '../../policies/language/check.ts'
import { EvaluationError, ExpressionError } from '../../policies/language/errors.ts'
import { evaluate } from '../../policies/language/evaluate.ts'
import { EVALUATION_STEPS_MAX } from '../../policies/language/limits.ts'
import { parseExpression } from '../../policies/language/parser.ts'
import { Steps } from '../../policies/language/steps.ts'
import type { Node } from '../../policies/language/syntax.ts'
import { childrenOf } from '../../policies/language/syntax.ts'
import type { StructType } from '../../policies/language/types.ts'
import type { Struct } from '../../policies/language/values.ts'

/** Where and why a text is refused, or undefined. */
export function refusalOf(text: string, within: PolicyField | StructType = 'condition'): string | undefined {
  try {
    checkExpression(parseExpression(text), typeof within === 'string' ? keywords[within] : within)
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return `${error.at}: ${error.message}`
    throw error
  }
}

/** The value, or the code of the error. @param type What the facts are of; what is not in it is refused. */
export function valueOf(
  text: string,
  type: StructType,
  facts: Struct,
  stepsMax = EVALUATION_STEPS_MAX,
): boolean | string {
  const node = parseExpression(text)
  checkExpression(node, type)
  try {
    return evaluate(node, facts, new Steps(stepsMax))
  } catch (error) {
    if (error instanceof EvaluationError) return error.code
    throw error
  }
}

/** Fewest steps with which the text has a value. */
export function stepsOf(text: string, type: StructType, facts: Struct): number {
  let [enough, tooFew] = [EVALUATION_STEPS_MAX * 2, 0]
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2)
    if (valueOf(text, type, facts, middle) === 'too_many_steps') tooFew = middle
    else enough = middle
  }
  return enough
}

/** The tree with every operation in parentheses. */
export function shown(node: Node): string {
  const parts = childrenOf(node).map(shown)
  const [first = '', second = '', third = ''] = parts
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? `'${node.value}'` : String(node.value)
    case 'cron-span':
      return 'CronSpan'
    case 'list':
      return `[${parts.join(', ')}]`
    case 'name':
      return node.name
    case 'field':
      return `(${first}.${node.name})`
    case 'index':
      return `(${first}[${second}])`
    case 'slice':
      return `(${first}[${second}..${third}])`
    case 'not':
      return `(!${first})`
    case 'logic':
      return `(${parts.join(` ${node.operator} `)})`
    case 'comparison':
      return `(${first} ${node.operator} ${second})`
    case 'quantifier':
      return `(${first}.${node.method}(${node.item}, ${second}))`
    case 'contains':
      return `(${first}.contains(${second}))`
    case 'count':
      return `(${first}.count())`
  }
}
