import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { engineSettings, type EngineSetting } from './engine.ts'
import { StartError } from './log.ts'

export interface Settings {
  /** Absolute. */
  dataDir: string
  engine: EngineSetting
  hosts: number
  /** Time that one call may take in a host. */
  deadlineMs: number
  /** Idle time after which a used host throws its instance away. */
  idleMs: number
  /** Of the gateways' socket: ours alone, or also our group's, where gateways run under another user. */
  socketMode: number
}

const SOCKET_MODES: Readonly<Record<string, number>> = { '0600': 0o600, '0660': 0o660 }

/** `EX_CONFIG` of sysexits.h. */
const EXIT_BAD_SETTINGS = 78

/** @throws {StartError} that names every mistake at once. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const mistakes: string[] = []
  const known = new Set<string>()
  const whole = (name: string, fallback: number, min: number, max: number) => {
    known.add(name)
    const text = environment[name] ?? String(fallback)
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) mistakes.push(`${name} must be a whole number from ${min} to ${max}`)
    return value
  }
  const engineText = environment['KEYSTEAD_SIGNER_ENGINE'] ?? 'auto'
  known.add('KEYSTEAD_SIGNER_ENGINE')
  const engine = engineSettings.find((each) => each === engineText)
  if (engine === undefined) mistakes.push(`KEYSTEAD_SIGNER_ENGINE must be one of ${engineSettings.join(', ')}`)
  const dataDir = environment['KEYSTEAD_DATA_DIR'] ?? './data'
  if (environment['KEYSTEAD_CONFIG'] !== undefined && environment['KEYSTEAD_DATA_DIR'] === undefined) {
    mistakes.push('KEYSTEAD_CONFIG is not read here: set KEYSTEAD_DATA_DIR as well, or start with npm run signer')
  }
  if (dataDir === '') mistakes.push('KEYSTEAD_DATA_DIR must not be empty')
  const socketMode = SOCKET_MODES[environment['KEYSTEAD_SIGNER_SOCKET_MODE'] ?? '0600']
  known.add('KEYSTEAD_SIGNER_SOCKET_MODE')
  if (socketMode === undefined)
    mistakes.push(`KEYSTEAD_SIGNER_SOCKET_MODE must be ${Object.keys(SOCKET_MODES).join(' or ')}`)
  const settings = {
    socketMode: socketMode ?? 0o600,
    dataDir: resolve(dataDir),
    engine: engine ?? 'auto',
    hosts: whole('KEYSTEAD_SIGNER_HOSTS', availableParallelism(), 1, 256),
    deadlineMs: whole('KEYSTEAD_SIGNER_DEADLINE_MS', 10_000, 100, 600_000),
    idleMs: whole('KEYSTEAD_SIGNER_IDLE_MS', 200, 1, 600_000),
  }
  // Other names are the gateway's, which checks them.
  const own = Object.keys(environment).filter((name) => name.startsWith('KEYSTEAD_SIGNER_'))
  for (const name of own) if (!known.has(name)) mistakes.push(`unknown: ${name}`)
  if (mistakes.length > 0) throw new StartError('settings_invalid', mistakes.join('; '), EXIT_BAD_SETTINGS)
  return settings
}
