import { closeSync, readdirSync, readFileSync } from 'node:fs'

const O_CLOEXEC = 0o2000000
const STDERR_FD = 2

/**
 * Closes descriptors that whoever started us left open for every child (Linux only). An inherited descriptor works
 * in a host in spite of every wall around it. Node marks its own, and the low ones that it found, as not inheritable.
 */
export function closeInherited(): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name)
    if (fd > STDERR_FD && isInheritable(fd)) closeSync(fd)
  }
}

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
  } catch {
    // The one that the listing itself was read through.
    return false
  }
}
