import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { CliError, exitCodes } from '../cli-error.ts'
import { readPolicies } from '../policy-document.ts'
import type { ParameterTexts } from '../policy-parameters.ts'
import { print } from '../print.ts'
import { setOption } from '../set-option.ts'

interface Options {
  json: boolean
  set?: ParameterTexts
}

export const policyCheck = new Command('check')
  .summary('check policies before they are stored')
  .description(
    'Checks policies in JSON or YAML: one policy, a list, or the parameters of createPolicies. Prints each fault with its ' +
      'place in the file and, within an expression, the line and column there. Parameters of a document that are not set ' +
      'are those of its examples, unless --json is asked for.',
  )
  .argument('<file...>', '- reads from stdin')
  .option('--json', 'when there is no fault, print what createPolicies takes', false)
  .addOption(setOption())
  .action((files: string[], { json, set }: Options) => {
    const values = json ? { ...set } : set
    const read = files.map((file) => ({ file, ...readPolicies(readText(file), values) }))
    for (const { file, faults } of read) {
      for (const { line, column, message } of faults) console.error(`${file}:${line}:${column}: ${message}`)
    }
    const policies = read.flatMap((each) => each.policies)
    if (read.some(({ faults }) => faults.length > 0)) process.exitCode = exitCodes.failed
    else if (json) print({ policies })
    else console.log(`${policies.length} ${policies.length === 1 ? 'policy' : 'policies'}, no faults`)
  })

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CliError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
