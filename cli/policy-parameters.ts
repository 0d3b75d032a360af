/**
 * Parameters of a policy document. `parameters:` beside `policies:` gives each a name and an example of its value, and
 * `${name}` in an expression stands for it. The example says which kind it is: a whole number, a text, which an expression
 * holds in quotes, or a list of texts.
 */
import { z } from 'zod'

/** What no text of an expression can be broken out of with. */
const TEXT = /^[A-Za-z0-9_.:-]{1,256}$/
/** A number of 256 bits has at most 78 digits. */
const NUMBER = /^(?:0|[1-9][0-9]{0,77})$/
const PLACE = /\$\{([^}]*)\}/g

const text = z.string().regex(TEXT, 'must be letters, digits, dots, colons, hyphens and underscores')
const value = z.union([z.bigint().nonnegative(), text, z.array(text).min(1)], {
  error: 'must be a whole number, a text, or a list of texts of letters, digits, dots, colons, hyphens and underscores',
})
export const parametersSchema = z.record(z.string().regex(/^[a-z][A-Za-z0-9]{0,63}$/), value)

export type ParameterValue = z.infer<typeof value>
export type Parameters = Readonly<Record<string, ParameterValue>>
/** By name, as people write them: items of a list have commas between them. */
export type ParameterTexts = Readonly<Record<string, string>>

/** @param example Says the kind. @returns undefined for a text that is none of the kind. */
export function parameterOf(example: ParameterValue, written: string): ParameterValue | undefined {
  if (typeof example === 'bigint') return NUMBER.test(written) ? BigInt(written) : undefined
  if (typeof example === 'string') return TEXT.test(written) ? written : undefined
  const items = written.split(',')
  return items.every((item) => TEXT.test(item)) ? items : undefined
}

/** Names that the expression asks for and the parameters do not have. */
export function unknownNames(expression: string, parameters: Parameters): string[] {
  const names = [...expression.matchAll(PLACE)].map(([, name = '']) => name)
  return names.filter((name) => !Object.hasOwn(parameters, name))
}

/** The expression with each value in its place; unknown names stay. */
export function filledIn(expression: string, parameters: Parameters): string {
  return expression.replace(PLACE, (place, name: string) => {
    const found = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    return found === undefined ? place : literalOf(found)
  })
}

/** As the policy language writes it. */
function literalOf(parameter: ParameterValue): string {
  if (typeof parameter === 'bigint') return parameter.toString()
  return typeof parameter === 'string' ? `'${parameter}'` : `[${parameter.map((item) => `'${item}'`).join(', ')}]`
}
