/** The command line. Each command is a file in `commands/` and a line here; `exitCodes` says how it ends. */
import { Command, CommanderError } from 'commander'
import { CliError, exitCodes } from './cli-error.ts'
import { apiKeyCreate } from './commands/api-key-create.ts'
import { logExport } from './commands/log-export.ts'
import { logVerify } from './commands/log-verify.ts'
import { orgCreate } from './commands/org-create.ts'
import { orgStore } from './commands/org-store.ts'
import { policyCheck } from './commands/policy-check.ts'
import { serviceUserCreate } from './commands/service-user-create.ts'

const groups: { name: string; description: string; commands: Command[] }[] = [
  { name: 'org', description: 'organizations', commands: [orgCreate, orgStore] },
  { name: 'api-key', description: 'API keys', commands: [apiKeyCreate] },
  { name: 'service-user', description: 'users of plug-ins', commands: [serviceUserCreate] },
  { name: 'policy', description: 'policies', commands: [policyCheck] },
  { name: 'log', description: "the signer's log", commands: [logExport, logVerify] },
]

function program(): Command {
  const root = new Command('keystead')
    .description('Operates a Keystead service.')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed or the answer is no, 2 called in a wrong way.')
  for (const { name, description, commands } of groups) {
    const group = root.command(name).description(description)
    for (const command of commands) group.addCommand(command)
  }
  for (const command of withAll(root)) command.exitOverride().showHelpAfterError('(--help says how it is called)')
  return root
}

function withAll(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAll)]
}

/** @returns the exit code. */
function codeOf(error: unknown): number {
  // Commander has printed the help or its complaint already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (!(error instanceof CliError)) throw error
  console.error(`keystead: ${error.message}`)
  return error.exitCode
}

try {
  await program().parseAsync()
} catch (error) {
  process.exitCode = codeOf(error)
}
