import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { exportLog, readCredentials } from '../export-log.ts'

interface Options {
  credentials?: string
  activities: boolean
}

export const logExport = new Command('export')
  .summary("write an organization's receipts as JSON lines")
  .description(
    "Writes the signer's receipts of an organization as JSON lines. Credentials come from a file like data/dev.json, " +
      'never from the command line, which other users of the machine can see.',
  )
  .argument('<file>')
  .option('-c, --credentials <file>', 'baseUrl, organizationId, apiPublicKey and apiPrivateKey as JSON (data/dev.json)')
  .option('-a, --activities', 'body and result of each activity as well', false)
  .action(async (file: string, { credentials, activities }: Options) => {
    try {
      const count = await exportLog(file, readCredentials(credentials), activities)
      console.log(`${count} receipts written to ${file}`)
    } catch (error) {
      throw new CliError(`not exported: ${(error as Error).message}`)
    }
  })
