import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { ApiClient } from '../api-client.ts'
import { CliError } from '../cli-error.ts'
import { readCredentials } from '../export-log.ts'
import type { ParameterTexts } from '../policy-parameters.ts'
import { print } from '../print.ts'
import { servicePolicies } from '../service-policies.ts'
import { serviceCredentials, setUpServiceUser } from '../service-user.ts'
import { setOption } from '../set-option.ts'

interface Options {
  name: string
  policies: string
  keyFile: string
  credentials: string
  set?: ParameterTexts
}

/** Stands in for the id of the user, which nobody knows before the user is made. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

export const serviceUserCreate = new Command('create')
  .summary('make the user of a plug-in, with a key and policies of its own')
  .description(
    'Makes a user who is not of the root quorum, gives it the policies of a document and an API key, and writes the key into ' +
      'a file for KEYSTEAD_SERVICE_KEYS. The document names the user by its parameter userId. Run again, with the same file, ' +
      'it carries on what was cut off or had to be approved, and brings changed policies in; with a new file it gives the ' +
      'user a further key. Credentials come from a file like data/dev.json, never from the command line.',
  )
  .requiredOption('-n, --name <name>', 'name of the user')
  .requiredOption('-p, --policies <file>', 'document like policies/examples/x402-key.yaml')
  .requiredOption('-k, --key-file <file>', 'where the key is, or is written to')
  .requiredOption(
    '-c, --credentials <file>',
    'baseUrl, organizationId, apiPublicKey and apiPrivateKey of a root user, JSON',
  )
  .addOption(setOption())
  .action(async ({ name, policies, keyFile, credentials, set = {} }: Options) => {
    const text = readOr(() => readFileSync(policies, 'utf8'), policies)
    // Nothing is made of a document that cannot be used.
    servicePolicies(text, set, NOBODY)
    const root = readOr(() => readCredentials(credentials), credentials)
    const key = serviceCredentials(keyFile, root.organizationId)
    const api = new ApiClient(root.baseUrl, root)
    const userId = await setUpServiceUser(api, name, key, (id) => servicePolicies(text, set, id)).catch(tell)
    print({ organizationId: root.organizationId, userId, publicKey: key.apiPublicKey, keyFile })
  })

function readOr<T>(read: () => T, path: string): T {
  try {
    return read()
  } catch {
    throw new CliError(`${path} cannot be read`)
  }
}

/** `fetch` says only that it failed. */
function tell(error: unknown): never {
  if (error instanceof TypeError) throw new CliError('the service does not answer')
  throw error
}
