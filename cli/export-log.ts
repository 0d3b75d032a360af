/**
 * `npm run export-log -- FILE [--credentials FILE] [--activities]`, also `keystead log export`: writes the receipts of an organization as JSON lines,
 * with `--activities` also body and result of each. Credentials are read from a file like `data/dev.json`, never from
 * the command line, which other users of the machine can see.
 */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { configOf } from './config-of.ts'

export interface Credentials {
  baseUrl: string
  organizationId: string
  /** Compressed P-256 point and scalar, hex. */
  apiPublicKey: string
  apiPrivateKey: string
}

const PAGE = '100'
/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

/** @returns how many receipts the file has. @throws when the service or a file says no: the file is then as it was. */
export async function exportLog(file: string, credentials: Credentials, includeActivities: boolean): Promise<number> {
  const apiKey = apiKeyOf(credentials)
  const partPath = `${file}.part`
  const part = openSync(partPath, 'w', 0o600)
  let count = 0
  try {
    for (let after: string | undefined; ;) {
      const page = await listReceipts(credentials, apiKey, {
        includeActivities,
        paginationOptions: { limit: PAGE, after },
      })
      for (const receipt of page) writeSync(part, `${JSON.stringify(receipt)}\n`)
      count += page.length
      after = page.at(-1)?.receiptId
      if (after === undefined) break
    }
  } finally {
    closeSync(part)
  }
  renameSync(partPath, file)
  return count
}

async function listReceipts(
  { baseUrl, organizationId, apiPublicKey }: Credentials,
  apiKey: KeyObject,
  parameters: object,
): Promise<{ receiptId: string }[]> {
  const body = JSON.stringify({ organizationId, ...parameters })
  const signature = sign('sha256', Buffer.from(body), apiKey).toString('hex')
  const stamp = { publicKey: apiPublicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  const headers = { 'X-Stamp': Buffer.from(JSON.stringify(stamp)).toString('base64url') }
  const answer = await fetch(`${baseUrl}/public/v1/query/list_receipts`, { method: 'POST', body, headers })
  const json = (await answer.json()) as { receipts: { receiptId: string }[]; message?: string }
  if (!answer.ok) throw new Error(`the service answered ${answer.status}: ${json.message ?? ''}`)
  return json.receipts
}

function apiKeyOf({ apiPublicKey, apiPrivateKey }: Credentials): KeyObject {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
  const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
  return createPrivateKey({ key: { ...point, d }, format: 'jwk' })
}

/** @returns undefined for what is called wrongly. */
function readArguments() {
  const options = { credentials: { type: 'string' }, activities: { type: 'boolean', default: false } } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [file, ...more] = positionals
    return file === undefined || more.length > 0 ? undefined : { file, ...values }
  } catch {
    return undefined
  }
}

/** @param path By default those of the local organization, in the data folder of the settings. */
export function readCredentials(path = join(configOf(undefined).dataDir, 'dev.json')): Credentials {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text) as Credentials
  } catch {
    // The platform's words quote what it was given, and that may be a private key.
    throw new Error(`${path} does not hold credentials as JSON`)
  }
}

async function main(): Promise<number> {
  const wanted = readArguments()
  if (wanted === undefined) {
    console.error('usage: npm run export-log -- FILE [--credentials FILE] [--activities]')
    return 2
  }
  const { file, activities, credentials } = wanted
  try {
    const count = await exportLog(file, readCredentials(credentials), activities)
    console.log(`${count} receipts written to ${file}`)
    return 0
  } catch (error) {
    console.error(`not exported: ${error instanceof Error ? error.message : 'failed'}`)
    return 1
  }
}

if (import.meta.main) process.exitCode = await main()
