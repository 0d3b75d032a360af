import { Command } from 'commander'
import { CliError, exitCodes } from '../cli-error.ts'
import { verifyFile, type Wanted } from '../verify-log.ts'

export const logVerify = new Command('verify')
  .summary('check an exported log')
  .description(
    'Checks an exported log with nothing but the log, the public key of the signer and the head kept from last time. ' +
      'Ends with 0 when nothing is wrong, with 1 when something is, with 2 when a file or the key cannot be read.',
  )
  .argument('<file>')
  .requiredOption('-k, --public-key <hex>', "the signer's public key, got by a way that you trust")
  .option('--head <file>', 'the head kept from last time; without it a missing end does not show')
  .option('--write-head <file>', 'where to write the new head')
  .action((file: string, options: Omit<Wanted, 'file'>) => {
    try {
      process.exitCode = verifyFile({ file, ...options }) ? exitCodes.ok : exitCodes.failed
    } catch (error) {
      throw new CliError((error as Error).message, exitCodes.usage)
    }
  })
