import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { z } from 'zod'
import { CliError } from '../cli-error.ts'
import { configOf } from '../config-of.ts'
import { print } from '../print.ts'
import { storeOrganization } from '../store-organization.ts'

const founded = z.strictObject({ text: z.string().min(1), seal: z.string().min(1) })
const named = z.object({ organizationId: z.string() })

export const orgStore = new Command('store')
  .summary('store an organization that was founded elsewhere')
  .description(
    'Reads what `keystead org create --record` printed from stdin and stores it through the running gateway: for ' +
      'installations where whoever reaches the signer does not reach the store. The record holds no secret.',
  )
  .option('--data-dir <folder>', 'data folder of the service, unless KEYSTEAD_DATA_DIR says it')
  .action(async ({ dataDir }: { dataDir?: string }) => {
    const { organizationId, organization } = read(await text(process.stdin))
    const config = configOf(dataDir)
    try {
      await storeOrganization(config, organization)
    } catch (error) {
      throw new CliError((error as Error).message)
    }
    print({ organizationId })
  })

/** @throws {CliError} */
function read(record: string) {
  try {
    const organization = founded.parse(JSON.parse(record))
    return { organization, ...named.parse(JSON.parse(organization.text)) }
  } catch {
    throw new CliError('stdin holds no record of `keystead org create --record`')
  }
}
