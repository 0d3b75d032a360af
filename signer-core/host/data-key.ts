import { closeSync, readSync } from 'node:fs'

const DATA_KEY_BYTES = 32

/**
 * Reads the data key from the inherited pipe and closes it. The buffer is the key's only copy in JavaScript, never
 * from Node's shared pool, and stays for as long as the process: every new instance of the component needs it.
 */
export function readDataKey(fd: number): Uint8Array {
  // One byte more than a key, so that a longer one is noticed.
  const bytes = Buffer.alloc(DATA_KEY_BYTES + 1)
  let length = 0
  let read: number
  do {
    read = readSync(fd, bytes, length, bytes.length - length, null)
    length += read
  } while (read !== 0 && length < bytes.length)
  closeSync(fd)
  if (length !== DATA_KEY_BYTES) throw new Error('data key of wrong length')
  return bytes.subarray(0, DATA_KEY_BYTES)
}
