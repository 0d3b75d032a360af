/** One policy: three optional expressions and what follows when all of them hold. */
import { keywords, type PolicyField } from './facts/schema.ts'
import { checkExpression } from './language/check.ts'
import { ExpressionError } from './language/errors.ts'
import { parseExpression } from './language/parser.ts'
import type { Node } from './language/syntax.ts'

export const effects = ['EFFECT_ALLOW', 'EFFECT_DENY'] as const
export type Effect = (typeof effects)[number]

export const policyFields = Object.keys(keywords) as PolicyField[]

/** Absent and empty expressions hold always. */
export type PolicyText = { policyId: string; effect: Effect } & { [field in PolicyField]?: string | undefined }

export interface CompiledPolicy {
  policyId: string
  effect: Effect
  /** Undefined: the text cannot be read, and the policy is an error whatever is asked. */
  expressions: { [field in PolicyField]?: Node } | undefined
}

/** What is wrong with a policy, for the person who writes it. */
export interface PolicyFault {
  field: PolicyField
  message: string
  /** Of the first character that is wrong, counted from 1. */
  line: number
  column: number
}

/** The first fault of each expression; none: the policy may be stored. */
export function policyFaults(policy: { [field in PolicyField]?: string | undefined }): PolicyFault[] {
  return policyFields.flatMap((field) => {
    const text = policy[field] ?? ''
    try {
      compileExpression(text, field)
      return []
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return [{ field, message: error.message, ...placeOf(text, error.at) }]
    }
  })
}

/** Compiled once, a policy may be used for any number of decisions. A text that cannot be read gives no exception. */
export function compilePolicy({ policyId, effect, ...texts }: PolicyText): CompiledPolicy {
  try {
    const expressions: { [field in PolicyField]?: Node } = {}
    for (const field of policyFields) {
      const node = compileExpression(texts[field] ?? '', field)
      if (node !== undefined) expressions[field] = node
    }
    return { policyId, effect, expressions }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { policyId, effect, expressions: undefined }
  }
}

/**
 * @returns undefined for a text of nothing but blanks.
 * @throws {ExpressionError}
 */
function compileExpression(text: string, field: PolicyField): Node | undefined {
  if (/^[ \t\r\n]*$/.test(text)) return undefined
  const node = parseExpression(text)
  checkExpression(node, keywords[field])
  return node
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 }
}
