/** Small secret files: written whole or not at all, read without leaving copies behind. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from './log.ts'

/** @throws {StartError} `directory_mode_too_open` when an existing one is open to group or others; `directory_missing`. */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartError('directory_missing', `${path} cannot be made: ${(error as NodeJS.ErrnoException).code}`)
  }
  if ((statSync(path).mode & 0o077) === 0) return
  throw new StartError('directory_mode_too_open', `${path} is open to group or others; make it private: chmod 700`)
}

/**
 * Creates a file with mode 0600 that is complete and on disk when this returns. An existing file is never replaced:
 * a link, unlike a rename, fails when the name is taken.
 */
export function createFileDurably(path: string, bytes: Uint8Array): void {
  const partial = `${path}.${randomUUID()}.partial`
  const fd = openSync(partial, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    fchmodSync(fd, 0o600)
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
    fsyncSync(fd)
    linkSync(partial, path)
  } finally {
    closeSync(fd)
    rmSync(partial)
  }
  const directory = openSync(dirname(path), constants.O_RDONLY)
  fsyncSync(directory)
  closeSync(directory)
}

/**
 * Reads a file of at most `bytesMax` bytes that only its owner can read.
 *
 * @returns Unpooled memory, so that filling it with zeros leaves no copy; undefined when there is no such file.
 * @throws {StartError} `file_mode_too_open` when group or others have any right to it.
 */
export function readPrivateFile(path: string, bytesMax: number): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const { mode, size } = fstatSync(fd)
    if ((mode & 0o077) !== 0) {
      throw new StartError('file_mode_too_open', `${path} is open to group or others; make it private: chmod 600`)
    }
    if (size > bytesMax) throw new StartError('file_damaged', `${path} is too long`)
    const bytes = Buffer.alloc(size)
    if (readSync(fd, bytes, 0, size, 0) !== size) throw new StartError('file_damaged', `${path} was cut while read`)
    return bytes
  } finally {
    closeSync(fd)
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
