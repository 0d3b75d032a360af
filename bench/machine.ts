/** Where and of what the figures are. */
import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  processor: string
  cores: number
  memoryGiB: number
  kernel: string
  node: string
  /** Of the folder that the stores are in. */
  fileSystem: string
  /** Of the minute before; near 0 on a machine that has nothing else to do. */
  loadBefore: number
  commit: string
}

/** statfs(2) */
const fileSystems: Record<number, string> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlay',
  0x01021994: 'tmpfs, so nothing is durable and the figures of the store mean little',
}

export function describeMachine(): Machine {
  const fileSystem = statfsSync(tmpdir()).type
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    node: process.version,
    fileSystem: fileSystems[fileSystem] ?? `0x${fileSystem.toString(16)}`,
    loadBefore: loadavg()[0] ?? 0,
    commit: commit(),
  }
}

function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', join(import.meta.dirname, '..'), ...words], { encoding: 'utf8' }).trim()
  try {
    const changed = git('status', '--porcelain', '--', 'gateway', 'signer-core', 'cli', 'bench/*.ts') !== ''
    return git('rev-parse', '--short=12', 'HEAD') + (changed ? ' with changes that are not committed' : '')
  } catch {
    return 'unknown'
  }
}
