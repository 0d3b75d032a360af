/**
 * API keys as the signing API's own command line and SDKs keep them (go-sdk `pkg/store/local`, rust-sdk `from_files`):
 * `<name>.private` and `<name>.public` are bare hex without a newline, `<name>.meta` is JSON. Both readers take a
 * private key without the suffix `:p256` as P-256, and the second takes no other form.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ApiKeyPair } from './api-key-pair.ts'
import { CliError } from './cli-error.ts'

export interface ApiKeyFiles {
  publicKeyFile: string
  privateKeyFile: string
  metadataFile: string
}

/** Where those clients look for a key by its name. */
export function defaultKeysFolder(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'turnkey/keys')
}

/**
 * The private key first, and never over one that is there: losing the only copy of a key locks its user out.
 * @throws {CliError} when the name is taken or the folder cannot be written.
 */
export function writeApiKey(folder: string, name: string, pair: ApiKeyPair, organizationIds: string[]): ApiKeyFiles {
  const [privateKeyFile, publicKeyFile, metadataFile] = ['private', 'public', 'meta'].map((extension) =>
    join(folder, `${name}.${extension}`),
  ) as [string, string, string]
  if ([privateKeyFile, publicKeyFile].some((path) => existsSync(path))) {
    throw new CliError(`a key named ${name} is in ${folder} already`)
  }
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256'
  const metadata = { name, organizations: organizationIds, public_key: pair.publicKey, scheme }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    write(privateKeyFile, pair.privateKey, 0o600)
    write(publicKeyFile, pair.publicKey, 0o644)
    write(metadataFile, JSON.stringify(metadata), 0o600)
  } catch (error) {
    throw new CliError(`${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
  return { publicKeyFile, privateKeyFile, metadataFile }
}

/** @param text A compressed P-256 key in hex, or a file that holds one. @throws {CliError} */
export function readPublicKey(text: string): string {
  const key = existsSync(text) ? readFileSync(text, 'utf8').trim() : text
  if (/^0[23][0-9a-f]{64}$/.test(key)) return key
  throw new CliError(`${text} is neither a file with a public key nor a compressed P-256 key in hexadecimal`)
}

function write(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { flag: 'wx', mode })
  // The mode of a new file is narrowed by the umask, and never widened.
  chmodSync(path, mode)
}
