/** The policies of a service user, from a document that names the user by its parameter `userId`. */
import { CliError } from './cli-error.ts'
import { readPolicies, type PolicyDocument } from './policy-document.ts'
import type { ParameterTexts } from './policy-parameters.ts'

/** @throws {CliError} naming every fault; a parameter that is not set is one. */
export function servicePolicies(text: string, values: ParameterTexts, userId: string): PolicyDocument[] {
  const { policies, faults } = readPolicies(text, { ...values, userId })
  if (faults.length === 0) return policies
  const lines = faults.map(({ line, column, message }) => `  ${line}:${column}: ${message}`)
  throw new CliError(`the policies cannot be used\n${lines.join('\n')}`)
}
