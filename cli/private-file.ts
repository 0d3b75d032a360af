import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Writes JSON that only this user may read, whole or not at all. */
export function writePrivateFile(path: string, value: object): void {
  const partPath = `${path}.part`
  const file = openSync(partPath, 'w', 0o600)
  try {
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(partPath, path)
}
