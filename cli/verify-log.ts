/**
 * `npm run verify-log -- FILE --public-key HEX [--head FILE] [--write-head FILE]`, also `keystead log verify`: checks an exported log with nothing
 * but the log, the signer's public key and, where there is one, the head kept from last time. Deliberately imports
 * nothing of Keystead. Exit codes: 0 all is well, 1 something is wrong, 2 not called as it should be.
 *
 * What it cannot see: without a kept head, that the end of a chain or a whole chain is missing; with one, what was
 * added and taken away again since. Nor who knew the signer's key: that key must come by a way that you trust.
 */
import { isUtf8 } from 'node:buffer'
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Where each chain ended, to be kept where nobody who holds the log can reach it. */
export interface Head {
  format: 1
  organizationId: string
  chains: Record<string, { sequence: number; digest: string }>
}

export interface Verdict {
  problems: string[]
  /** What looks odd and is not wrong. */
  notes: string[]
  entryCount: number
  head: Head
}

interface Receipt {
  organizationId: string
  activityId: string
  bodyDigest: string
  outcome: string
  resultDigest?: string
  componentDigest: string
  chain: { chainId: string; startedAtMs: number }
  sequence: number
  /** In the first of a chain: the key that signs the others. */
  receiptKey?: string
  previous: string
  timeMs: number
}

interface Entry {
  /** How a problem names it. */
  name: string
  receipt: Receipt
  digest: string
  body: string | undefined
  result: string | undefined
}

/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 65-byte point (RFC 5480). */
const SPKI_HEAD = '3059301306072a8648ce3d020106082a8648ce3d030107034200'
const ZEROS = '0'.repeat(64)
/** Half the order of P-256 (SEC 2, 2.4.2): the signer gives only the lower of the two possible `s`. */
const S_MAX = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n

/** @param log The exported file. @param publicKey Uncompressed P-256 point, 130 hex digits. */
export function verifyLog(log: Uint8Array, publicKey: string, kept?: Head): Verdict {
  let problems: string[] = []
  const keys = new ChainKeys(publicKey)
  const entries: Entry[] = []
  // Bytes that are no UTF-8 would otherwise be read as if they were another character.
  const lines = isUtf8(log) ? Buffer.from(log).toString().split('\n') : ['not UTF-8']
  if (lines.pop() !== '') problems.push('The file is not UTF-8, or its last line is cut off.')
  for (const [i, line] of lines.entries()) {
    const entry = readLine(line, `Line ${i + 1}`, keys)
    if (typeof entry === 'string') problems.push(entry)
    else entries.push(entry)
  }
  const order = entries.flatMap((entry, i) => misplaced(entry, entries[i - 1]) ?? [])
  const { notes, ...results } = checkActivities(entries)
  const missing = kept === undefined ? [] : missingFrom(entries, kept)
  problems = [...problems, ...order, ...results.problems, ...missing]
  return { problems, notes, entryCount: lines.length, head: headOf(entries) }
}

/** The entry of a line, or what is wrong with it. Only the one way in which the export writes a line is taken. */
function readLine(line: string, name: string, keys: ChainKeys): Entry | string {
  try {
    const parsed = JSON.parse(line) as Record<string, string>
    const { receiptId, text = '', signature = '', body, result } = parsed
    const isExact = JSON.stringify({ receiptId, text, signature, body, result }) === line
    if (!isExact || Object.values(parsed).some((each) => typeof each !== 'string')) {
      return `${name} is not as the export writes it.`
    }
    const key = keys.of(receiptId)
    if (key === undefined) return `${name}: the first entry of its chain is missing, with the key of the others.`
    const isLow = /^[0-9a-f]{128}$/.test(signature) && BigInt(`0x${signature.slice(64)}`) <= S_MAX
    const dsaKey = { key, dsaEncoding: 'ieee-p1363' } as const
    const isSigned = isLow && verify('sha256', Buffer.from(text), dsaKey, Buffer.from(signature, 'hex'))
    if (!isSigned) return `${name}: the signature is not the signer's.`
    const receipt = JSON.parse(text) as Receipt & { format: number; type: string }
    if (receipt.format !== 2 || receipt.type !== 'RECEIPT') return `${name} is signed by the signer and is no receipt.`
    const place = `${receipt.chain.chainId}/${String(receipt.sequence).padStart(16, '0')}`
    const full = `${name} (entry ${receipt.sequence} of chain ${receipt.chain.chainId})`
    if (receiptId !== place) return `${full} has the id of another place.`
    keys.learn(receipt)
    const isBody = body === undefined || sha256(body) === receipt.bodyDigest
    if (!isBody) return `${full}: the body is not the one decided upon.`
    return { name: full, receipt, digest: sha256(text), body, result }
  } catch {
    return `${name} cannot be read.`
  }
}

/** Why an entry does not follow from the one on the line before it. */
function misplaced({ name, receipt }: Entry, before: Entry | undefined): string | undefined {
  const { chain, sequence, previous, organizationId, componentDigest, timeMs } = receipt
  const last = before?.receipt
  if (last !== undefined && organizationId !== last.organizationId) return `${name} is of another organization.`
  if (chain.chainId !== last?.chain.chainId) {
    if (last !== undefined && chain.chainId < last.chain.chainId) return `${name} is out of order.`
    if (sequence !== 1) return `${name} is the first of its chain here: what came before is missing.`
    return previous === ZEROS ? undefined : `${name} names an entry before it, and is the first.`
  }
  const expected = last.sequence + 1
  if (sequence !== expected)
    return `${name} stands where entry ${expected} is expected: missing, repeated or out of order.`
  if (previous !== before?.digest) return `${name} does not name the entry before it.`
  const isSameProcess = chain.startedAtMs === last.chain.startedAtMs && componentDigest === last.componentDigest
  if (isSameProcess && timeMs >= last.timeMs) return undefined
  return `${name} differs from the entry before it in what cannot change within a chain.`
}

/**
 * Results against the receipts of their activity. One that waits for approvals has a receipt of each time that it was
 * found waiting, and one of its end; more than one end there is when an answer got lost.
 */
function checkActivities(entries: Entry[]): Pick<Verdict, 'problems' | 'notes'> {
  const [problems, notes]: [string[], string[]] = [[], []]
  for (const [activityId, all] of Map.groupBy(entries, (each) => each.receipt.activityId)) {
    const results = new Set(all.map((each) => each.result).filter((each) => each !== undefined))
    const digests = all.flatMap((each) => each.receipt.resultDigest ?? [])
    for (const result of results) {
      if (results.size > 1 || !digests.includes(sha256(result))) {
        problems.push(`${all[0]?.name}: the result of activity ${activityId} is not what the signer answered.`)
      }
    }
    const endCount = all.filter((each) => each.receipt.outcome !== 'CONSENSUS_NEEDED').length
    if (endCount > 1) {
      notes.push(
        `Activity ${activityId} has ${endCount} receipts of its end: an answer was lost and it was decided again.`,
      )
    }
  }
  return { problems, notes }
}

function missingFrom(entries: Entry[], kept: Head): string[] {
  const problems: string[] = []
  const byPlace = new Map(entries.map((each) => [`${each.receipt.chain.chainId}/${each.receipt.sequence}`, each]))
  const organizationId = entries[0]?.receipt.organizationId ?? kept.organizationId
  if (organizationId !== kept.organizationId) problems.push('The log is not of the organization of the kept head.')
  for (const [chainId, { sequence, digest }] of Object.entries(kept.chains)) {
    const entry = byPlace.get(`${chainId}/${sequence}`)
    if (entry === undefined) problems.push(`Chain ${chainId} ends before entry ${sequence}, which the kept head knows.`)
    else if (entry.digest !== digest) problems.push(`${entry.name} is not the one that the kept head knows.`)
  }
  return problems
}

function headOf(entries: Entry[]): Head {
  // Later entries of a chain take the place of earlier ones.
  const ends = entries.map(({ receipt: { chain, sequence }, digest }) => [chain.chainId, { sequence, digest }] as const)
  return { format: 1, organizationId: entries[0]?.receipt.organizationId ?? '', chains: Object.fromEntries(ends) }
}

/** The identity signs the first entry of each chain, which names the key that signs the others. */
class ChainKeys {
  private readonly identity: KeyObject
  private readonly named = new Map<string, KeyObject>()

  constructor(publicKey: string) {
    this.identity = keyOf(publicKey)
  }

  /** Undefined when the first entry of the chain has not been read. */
  of(receiptId = ''): KeyObject | undefined {
    const [chainId = '', sequence = ''] = receiptId.split('/')
    return Number(sequence) === 1 ? this.identity : this.named.get(chainId)
  }

  /** @param receipt Its signature has been checked. */
  learn({ chain, sequence, receiptKey }: Receipt): void {
    if (sequence === 1 && receiptKey !== undefined) this.named.set(chain.chainId, keyOf(receiptKey))
  }
}

function keyOf(publicKey: string): KeyObject {
  if (!/^04[0-9a-f]{128}$/.test(publicKey)) throw new Error('the public key must be 130 lower-case hexadecimal digits')
  return createPublicKey({ key: Buffer.from(SPKI_HEAD + publicKey, 'hex'), format: 'der', type: 'spki' })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface Wanted {
  /** The exported file. */
  file: string
  /** Uncompressed P-256 point, 130 hex digits. */
  publicKey: string
  /** File with the kept head. */
  head?: string | undefined
  /** File for the new head, written when nothing is wrong. */
  writeHead?: string | undefined
}

/** Checks a file and prints what it finds. @returns whether all is well. @throws when a file or the key cannot be read. */
export function verifyFile({ file, publicKey, head, writeHead }: Wanted): boolean {
  const kept = head === undefined ? undefined : (JSON.parse(readFileSync(head, 'utf8')) as Head)
  const verdict = verifyLog(readFileSync(file), publicKey, kept)
  for (const problem of verdict.problems) console.error(problem)
  for (const note of verdict.notes) console.log(`Note: ${note}`)
  if (verdict.problems.length > 0) return false
  const headText = JSON.stringify(verdict.head)
  console.log(`${verdict.entryCount} entries in ${Object.keys(verdict.head.chains).length} chains: nothing is wrong.`)
  if (kept === undefined) console.log('No kept head was given: entries missing at the end of a chain do not show.')
  console.log(headText)
  if (writeHead !== undefined) writeFileSync(writeHead, `${headText}\n`)
  return true
}

function main(): number {
  const option = { type: 'string' } as const
  const options = { 'public-key': option, head: option, 'write-head': option }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const { 'public-key': publicKey, head, 'write-head': writeHead } = values
  const [file] = positionals
  if (file === undefined || positionals.length > 1 || publicKey === undefined) {
    throw new Error('usage: npm run verify-log -- FILE --public-key HEX [--head FILE] [--write-head FILE]')
  }
  return verifyFile({ file, publicKey, head, writeHead }) ? 0 : 1
}

if (import.meta.main) {
  try {
    process.exitCode = main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'failed')
    process.exitCode = 2
  }
}
