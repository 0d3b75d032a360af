/**
 * Looks for secrets in what a process has in memory and in files, in every form that a careless program would leave
 * (Linux). Only pages that are there are read: a signer host reserves tens of gigabytes that it never touches.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const PAGE_BYTES = 4_096
const CHUNK_BYTES = 16_777_216
const PIECE_BYTES = 8
/** Of a text form; its beginning stands for the whole. */
const TEXT_BYTES = 20

interface Needle {
  bytes: Buffer
  label: string
}

/** Raw and reversed bytes in pieces, so that a key in 64-bit words of either order shows, and the usual texts. */
function formsOf(secret: Buffer): [form: string, bytes: Buffer][] {
  const backwards = Buffer.from(secret.toReversed())
  const piecesOf = (bytes: Buffer) =>
    Array.from({ length: bytes.length / PIECE_BYTES }, (_, i) => bytes.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES))
  const texts: Record<string, string> = {
    hexadecimal: secret.toString('hex'),
    'upper-case hexadecimal': secret.toString('hex').toUpperCase(),
    base64: secret.toString('base64'),
    base64url: secret.toString('base64url'),
    decimal: BigInt(`0x${secret.toString('hex')}`).toString(),
    'list of numbers': secret.join(','),
    'spaced list of numbers': secret.join(', '),
  }
  return [
    ...piecesOf(secret).map((piece): [string, Buffer] => ['raw bytes', piece]),
    ...piecesOf(backwards).map((piece): [string, Buffer] => ['reversed bytes', piece]),
    ...Object.entries(texts).flatMap(([form, text]): [string, Buffer][] => {
      const start = text.slice(0, TEXT_BYTES)
      return [
        [form, Buffer.from(start)],
        [`${form} in UTF-16`, Buffer.from(start, 'utf16le')],
      ]
    }),
  ]
}

const LONGEST_BYTES = 2 * TEXT_BYTES

/** Many needles in one walk over the bytes. */
export class SecretSearch {
  private readonly byStart = new Map<number, Needle[]>()
  /** 1 where some needle begins with these three bytes; with two, one needle in 65,536 begins as empty memory does. */
  private readonly starts = new Uint8Array(1 << 24)

  /** @param secrets By the name that a finding is reported under. At least 16 bytes each, and a multiple of 8. */
  constructor(secrets: Record<string, Uint8Array>) {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const [form, bytes] of formsOf(Buffer.from(secret))) this.add({ bytes, label: `${name} as ${form}` })
    }
  }

  private add(needle: Needle): void {
    const start = needle.bytes.readUIntLE(0, 3)
    this.starts[start] = 1
    this.byStart.set(start, [...(this.byStart.get(start) ?? []), needle])
  }

  /** What was found, each label once, sorted. */
  inBytes(bytes: Buffer, found = new Set<string>()): string[] {
    let start = ((bytes[0] ?? 0) << 8) | ((bytes[1] ?? 0) << 16)
    for (let at = 0; at + 2 < bytes.length; at++) {
      start = (start >>> 8) | ((bytes[at + 2] as number) << 16)
      if (this.starts[start] === 1) {
        for (const needle of this.byStart.get(start) as Needle[]) {
          const end = at + needle.bytes.length
          if (end <= bytes.length && bytes.compare(needle.bytes, 0, needle.bytes.length, at, end) === 0)
            found.add(needle.label)
        }
      }
    }
    return [...found].toSorted()
  }

  /** Everything that the process could write to, its environment and its command line. */
  inProcess(pid: number): string[] {
    const found = new Set<string>()
    for (const name of ['environ', 'cmdline']) this.inBytes(readFileSync(`/proc/${pid}/${name}`), found)
    for (const chunk of writableMemory(pid)) this.inBytes(chunk, found)
    return [...found].toSorted()
  }
}

/** Pages that are there, in runs; what crosses the border of two chunks is in both. */
function* writableMemory(pid: number): Generator<Buffer> {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  try {
    for (const [from, to] of writableMappings(pid)) {
      for (const [runFrom, runTo] of presentRuns(pagemap, from, to)) {
        for (let at = runFrom; at < runTo; at += CHUNK_BYTES - LONGEST_BYTES) {
          yield chunk.subarray(0, readAt(memory, chunk, Math.min(CHUNK_BYTES, runTo - at), at))
        }
      }
    }
  } finally {
    closeSync(memory)
    closeSync(pagemap)
  }
}

function writableMappings(pid: number): [from: number, to: number][] {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8')
  return [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)].map(([, from = '', to = '']) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ])
}

/** Bits 63 and 62 of an entry: in memory, or swapped out (Documentation/admin-guide/mm/pagemap.rst). */
function* presentRuns(pagemap: number, from: number, to: number): Generator<[from: number, to: number]> {
  const pages = (to - from) / PAGE_BYTES
  const entries = Buffer.alloc(pages * 8)
  const known = readAt(pagemap, entries, entries.length, (from / PAGE_BYTES) * 8) / 8
  let runFrom: number | undefined
  for (let page = 0; page <= pages; page++) {
    const present = page < known && (entries[page * 8 + 7] as number) >= 0x40
    const address = from + page * PAGE_BYTES
    if (present) runFrom ??= address
    else if (runFrom !== undefined) {
      yield [runFrom, address]
      runFrom = undefined
    }
  }
}

/** Pages may go away while we look; what cannot be read counts as nothing. */
function readAt(fd: number, into: Buffer, length: number, at: number): number {
  try {
    return readSync(fd, into, 0, length, at)
  } catch {
    return 0
  }
}
