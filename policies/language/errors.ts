/** What can go wrong with an expression: when it is written, and when it is evaluated. */

/** Why a text is no expression of the language. Messages come from the code and the schema, never from the text. */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
  /** Where in the text, in UTF-16 units from its start. */
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/**
 * `missing_field`: the request does not have it. `wrong_type`: a value of a map is not what the operation takes.
 * `out_of_range`: no such index or slice, or a number beyond `int` and `uint`. `too_many_steps`: a limit.
 */
export type EvaluationCode = 'missing_field' | 'wrong_type' | 'out_of_range' | 'too_many_steps'

/** Why an expression has no value for a request. */
export class EvaluationError extends Error {
  override name = 'EvaluationError'
  readonly code: EvaluationCode
  constructor(code: EvaluationCode) {
    super(code)
    this.code = code
  }
}

/**
 * The errors that are thrown, one for each code. They are made once: making one captures its stack, which costs more than
 * evaluating an expression, and most policies err for most requests.
 */
export const evaluationErrors: Readonly<Record<EvaluationCode, EvaluationError>> = {
  missing_field: new EvaluationError('missing_field'),
  wrong_type: new EvaluationError('wrong_type'),
  out_of_range: new EvaluationError('out_of_range'),
  too_many_steps: new EvaluationError('too_many_steps'),
}
