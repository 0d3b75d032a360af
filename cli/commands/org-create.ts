import { randomUUID } from 'node:crypto'
import { Command } from 'commander'
import type { Notarized } from '../../signer-core/protocol/messages.ts'
import type { Founding } from '../../signer-core/protocol/organization-record.ts'
import { readPublicKey } from '../api-key-files.ts'
import { CliError } from '../cli-error.ts'
import { configOf } from '../config-of.ts'
import { foundOrganization } from '../operator-client.ts'
import { print } from '../print.ts'
import { storeOrganization } from '../store-organization.ts'

interface Options {
  name: string
  rootUser: [string, ...string[]]
  threshold: string
  dataDir?: string
  record?: true
}

export const orgCreate = new Command('create')
  .summary('found an organization')
  .description(
    'Founds an organization through the local socket of the running signer, which is the only way: over HTTP there is ' +
      'none. Prints its id and those of its root users.',
  )
  .requiredOption('-n, --name <name>', 'name of the organization')
  .requiredOption(
    '-r, --root-user <name=key>',
    'a root user and its API key: a compressed P-256 key in hexadecimal, or a file like those of `keystead api-key ' +
      'create`; may be given again',
    (value: string, all: string[] | undefined) => [...(all ?? []), value],
  )
  .option('-t, --threshold <count>', 'how many root users must agree', '1')
  .option('--data-dir <folder>', 'data folder of the service, unless KEYSTEAD_DATA_DIR says it')
  .option('--record', 'print the sealed record for `keystead org store` instead of storing it, and the ids on stderr')
  .action(async ({ name, rootUser, threshold, dataDir, record }: Options) => {
    const founding = foundingOf(name, rootUser, threshold)
    const founded = await found(founding, dataDir, record === true)
    const rootUsers = founding.users.map(({ userId, userName }) => ({ userId, userName }))
    const ids = { organizationId: founding.organizationId, rootUsers }
    if (record) console.error(JSON.stringify(ids, null, 2))
    print(record ? founded : ids)
  })

/** @throws {CliError} */
function foundingOf(organizationName: string, rootUsers: string[], thresholdText: string): Founding {
  const users = rootUsers.map(rootUserOf)
  const threshold = Number(thresholdText)
  if (!/^[1-9][0-9]*$/.test(thresholdText) || threshold > users.length) {
    throw new CliError(`the threshold must be a number from 1 to ${users.length}, the count of root users`)
  }
  const userIds = users.map(({ userId }) => userId)
  return { organizationId: randomUUID(), organizationName, users, rootQuorum: { threshold, userIds } }
}

function rootUserOf(text: string): Founding['users'][number] {
  const split = text.indexOf('=')
  if (split < 1) throw new CliError(`${text} is not like alice=alice.public`)
  const [userName, publicKey] = [text.slice(0, split), readPublicKey(text.slice(split + 1))]
  const apiKey = { apiKeyId: randomUUID(), apiKeyName: userName, curveType: 'API_KEY_CURVE_P256', publicKey } as const
  return { userId: randomUUID(), userName, apiKeys: [apiKey] }
}

async function found(founding: Founding, dataDir: string | undefined, recordOnly: boolean): Promise<Notarized> {
  const config = configOf(dataDir)
  try {
    const organization = await foundOrganization(config.dataDir, founding)
    if (!recordOnly) await storeOrganization(config, organization)
    return organization
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') throw new CliError(`no signer runs in ${config.dataDir}`)
    throw new CliError(message)
  }
}
