/** The syntax tree of an expression. */
import type { CronSpan } from './cron-span.ts'

export const comparisons = ['==', '!=', '<', '>', '<=', '>=', 'in'] as const
export type Comparison = (typeof comparisons)[number]
/** Methods of lists that judge each item; the others are `contains` and `count`. */
export const quantifiers = ['all', 'any', 'filter'] as const
export type Quantifier = (typeof quantifiers)[number]

/** `at`: where it begins in the text; of an operation: where its sign stands. */
export type Node = { at: number } &
  /** bigint: an integer; number: a timestamp in milliseconds since the epoch. */
  (
    | { kind: 'literal'; value: boolean | bigint | string | number }
    | { kind: 'cron-span'; span: CronSpan }
    | { kind: 'list'; items: Node[] }
    /** A keyword, or the item of a quantifier around. */
    | { kind: 'name'; name: string }
    | { kind: 'field'; of: Node; name: string }
    | { kind: 'index'; of: Node; index: Node }
    /** From `start` up to but not including `end`. */
    | { kind: 'slice'; of: Node; start: Node; end: Node }
    | { kind: 'not'; operand: Node }
    /** Two operands or more: `a && b && c` is one node. */
    | { kind: 'logic'; operator: '&&' | '||'; operands: Node[] }
    | { kind: 'comparison'; operator: Comparison; left: Node; right: Node }
    | { kind: 'quantifier'; method: Quantifier; of: Node; item: string; predicate: Node }
    | { kind: 'contains'; of: Node; value: Node }
    | { kind: 'count'; of: Node }
  )

/** The nodes right below. */
export function childrenOf(node: Node): Node[] {
  switch (node.kind) {
    case 'literal':
    case 'cron-span':
    case 'name':
      return []
    case 'list':
      return node.items
    case 'field':
    case 'count':
      return [node.of]
    case 'index':
      return [node.of, node.index]
    case 'slice':
      return [node.of, node.start, node.end]
    case 'not':
      return [node.operand]
    case 'logic':
      return node.operands
    case 'comparison':
      return [node.left, node.right]
    case 'quantifier':
      return [node.of, node.predicate]
    case 'contains':
      return [node.of, node.value]
  }
}
