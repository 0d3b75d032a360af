import { Command } from 'commander'
import { defaultKeysFolder, writeApiKey } from '../api-key-files.ts'
import { newApiKeyPair } from '../api-key-pair.ts'
import { CliError } from '../cli-error.ts'
import { print } from '../print.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

interface Options {
  keyName: string
  keysFolder: string
  organization: string[]
}

export const apiKeyCreate = new Command('create')
  .summary('make a P-256 API key pair in files')
  .description(
    'Makes a P-256 API key pair and writes it into files that the SDKs and their command line read. The private key is ' +
      'printed nowhere; its file can be read by you alone. Nobody knows the key yet: give the public key to `keystead org ' +
      'create` or to createApiKeys.',
  )
  .requiredOption('-k, --key-name <name>', 'name of the files')
  .option('-d, --keys-folder <folder>', 'where to write them', defaultKeysFolder())
  .option('-o, --organization <id>', 'noted beside the key; may be given again', collect, [])
  .action(({ keyName, keysFolder, organization }: Options) => {
    if (!NAME.test(keyName)) throw new CliError('a key name is 1 to 64 letters, digits, dots, hyphens and underscores')
    const pair = newApiKeyPair()
    const files = writeApiKey(keysFolder, keyName, pair, organization)
    print({ publicKey: pair.publicKey, ...files })
  })

function collect(value: string, all: string[]): string[] {
  return [...all, value]
}
