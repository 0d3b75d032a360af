import { InvalidArgumentError, Option } from 'commander'
import type { ParameterTexts } from './policy-parameters.ts'

/** `--set name=value` of commands that read a policy document; may be given again. */
export function setOption(): Option {
  return new Option('-s, --set <name=value>', 'a parameter of the document; may be given again').argParser(added)
}

function added(written: string, others: ParameterTexts | undefined): ParameterTexts {
  const split = written.indexOf('=')
  if (split < 1) throw new InvalidArgumentError('It is not like token=0x...')
  return { ...others, [written.slice(0, split)]: written.slice(split + 1) }
}
