/** Processor time of other processes, from /proc: who is busy while we measure. Linux only; empty elsewhere. */
import { readFileSync } from 'node:fs'
import { descendantsOf } from '../test/support/launcher.ts'

/** Process ids by the part that they play. */
export type Parts = Record<string, number[]>
export type MsByPart = Record<string, number>

/** USER_HZ, the unit of /proc/<pid>/stat, is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** The parts of a running service below `cli/start.ts`, by their command lines. */
export function partsOfService(pid: number): Parts {
  const parts: Parts = { gateway: [], launcher: [], hosts: [] }
  if (process.platform !== 'linux') return {}
  for (const each of descendantsOf(pid)) {
    const line = readOrEmpty(`/proc/${each}/cmdline`)
    if (line.includes('gateway/main.ts')) parts['gateway']?.push(each)
    else if (line.includes('launcher/main.ts')) parts['launcher']?.push(each)
    else if (line.includes('host.mjs')) parts['hosts']?.push(each)
  }
  return parts
}

export function processorMs(parts: Parts): MsByPart {
  const sum = (pids: number[]) => pids.reduce((total, pid) => total + processorMsOf(pid), 0)
  return Object.fromEntries(Object.entries(parts).map(([name, pids]) => [name, sum(pids)]))
}

function processorMsOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  // After the name, which may hold anything: state is field 3, utime 14, stime 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
