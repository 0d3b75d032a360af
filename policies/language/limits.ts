/** Limits of the policy language. Each has a test at its edge; work is counted in steps, never in time. */

/** Longest expression, in UTF-16 units: 150 Ethereum addresses in one list fit. */
export const EXPRESSION_LENGTH_MAX = 8_192
/** Deepest nesting of a syntax tree, parentheses and negations among it. */
export const EXPRESSION_DEPTH_MAX = 32
/** Most steps of one expression: one for each node that is evaluated, one for each item that is compared or copied. */
export const EVALUATION_STEPS_MAX = 10_000
/** Most steps of one decision, over all its policies and payloads: 100 policies over 8 payloads fit. */
export const DECISION_STEPS_MAX = 100_000

/** `int` has 128 bits and a sign, `uint` 256 bits; a whole number must be one of the two. */
export const INTEGER_MIN = -(2n ** 127n)
export const INTEGER_MAX = 2n ** 256n - 1n
