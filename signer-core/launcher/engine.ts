/** Which of the built signers runs: both decide and sign alike, bit for bit, and open each other's records. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineName, SignerStatus } from '../protocol/messages.ts'
import { log, StartError } from './log.ts'

/** `auto`: the fast one when it has been built. */
export const engineSettings = ['auto', 'fast', 'reference'] as const
export type EngineSetting = (typeof engineSettings)[number]

const BUILD_COMMAND = 'npm run build:engine && npm run build'

export interface ChosenEngine {
  name: EngineName
  /** Folder of the built signer with this engine. */
  dist: string
  /** How to get a faster one, when nobody asked for the slow one. */
  fasterWith?: string
}

/**
 * @param distPath Folder with one built signer per engine.
 * @throws {StartError} `engine_not_built` when the fast engine was asked for and is not there.
 */
export function chooseEngine(setting: EngineSetting, distPath: string): ChosenEngine {
  const fast = { name: 'fast', dist: join(distPath, 'fast') } as const
  const reference = { name: 'reference', dist: join(distPath, 'reference') } as const
  if (setting === 'reference') return reference
  if (existsSync(join(fast.dist, 'manifest.json'))) return fast
  if (setting === 'fast') {
    throw new StartError('engine_not_built', `the fast engine has not been built: run \`${BUILD_COMMAND}\``)
  }
  log('warn', 'engine_reference', {
    message: `Signing with the reference engine, which is slow; the fast one is built by: ${BUILD_COMMAND}`,
  })
  return { ...reference, fasterWith: BUILD_COMMAND }
}

export function statusOf(
  { name, fasterWith }: ChosenEngine,
  componentDigest: string,
  readyHosts: number,
): SignerStatus {
  return { engine: name, componentDigest, readyHosts, ...(fasterWith !== undefined && { fasterWith }) }
}
