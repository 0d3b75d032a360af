/**
 * Reads the settings (`settings.ts`, and those of the plug-ins): from the environment (`KEYSTEAD_DATA_DIR`) or from one YAML
 * file (`dataDir:` in the file that `KEYSTEAD_CONFIG` names); the environment wins.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import type { z } from 'zod'
import { camelCase, environmentPrefix } from './plugin-host/names.ts'
import { readPolicyFile } from './plugin-host/policy-file.ts'
import { plugins as installedPlugins } from './plugins.ts'
import type { Plugin } from './plugin-api.ts'
import { settingsSchema } from './settings.ts'

export type Config = Readonly<z.infer<typeof settingsSchema>> & {
  /** What was read for each plug-in, by its name. */
  readonly plugins: Readonly<Record<string, Record<string, unknown>>>
}

export function operatorSocketOf({ operatorSocket, dataDir }: Pick<Config, 'operatorSocket' | 'dataDir'>): string {
  return operatorSocket ?? join(dataDir, 'gateway.sock')
}

/** On top of the launcher's own times, so that its answer comes first. */
const SIGNER_MARGIN_MS = 10_000

/** How long a call to the signer may take: a place in the launcher's queue, then a host, a deadline each. */
export function signerDeadlineMs({ signerDeadlineMs: deadlineMs }: Pick<Config, 'signerDeadlineMs'>): number {
  return 2 * deadlineMs + SIGNER_MARGIN_MS
}

/** The launcher and the tests read names of their own. */
const FOREIGN = /^KEYSTEAD_(?:SIGNER_(?!DEADLINE_MS$)|TEST_)/
const CONFIG_FILE = 'KEYSTEAD_CONFIG'
/** Of a plug-in, after its prefix: a document with its settings, over which the environment wins. */
const POLICY_FILE = 'POLICY_FILE'

/** All mistakes at once, each with the setting's name and without its value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws {ConfigError} naming every unknown and every bad setting, those of the plug-ins too. */
export function loadConfig(
  environment: Record<string, string | undefined>,
  plugins: readonly Plugin[] = installedPlugins,
): Config {
  const members: object = Object.fromEntries(
    plugins.map((plugin) => [camelCase(plugin.name), plugin.settings.prefault({})]),
  )
  const read = settingsSchema
    .extend({ ...members })
    .refine(({ redisUrl, mongodbUrl }) => redisUrl === undefined || mongodbUrl !== undefined, {
      path: ['redisUrl'],
      message: 'needs KEYSTEAD_MONGODB_URL: processes that share a queue must share a store',
    })
    .refine(
      ({ serviceKeys = {} }) => Object.keys(serviceKeys).every((name) => plugins.some((each) => each.name === name)),
      {
        path: ['serviceKeys'],
        message: 'names a plug-in that there is not',
      },
    )
    .safeParse(merged(fromFile(environment[CONFIG_FILE]), fromEnvironment(environment, plugins)))
  if (!read.success) {
    const mistakes = read.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown: ${issue.keys.map((key) => environmentName([...issue.path, key])).join(', ')}`
        : `${environmentName(issue.path)}: ${issue.message}`,
    )
    throw new ConfigError(`bad settings\n  ${mistakes.join('\n  ')}`)
  }
  const known: Record<string, unknown> = read.data
  const ofPlugins = plugins.map(({ name }) => [name, known[camelCase(name)]])
  return { ...read.data, plugins: Object.fromEntries(ofPlugins) }
}

/** The environment wins, setting by setting also within a plug-in's. */
function merged(file: Record<string, unknown>, environment: Record<string, unknown>): Record<string, unknown> {
  const all = { ...file, ...environment }
  for (const [name, value] of Object.entries(environment)) {
    const inFile = file[name]
    if (isObject(value) && isObject(inFile)) all[name] = { ...inFile, ...value }
  }
  return all
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fromFile(path: string | undefined): Record<string, unknown> {
  if (path === undefined) return {}
  try {
    const read: unknown = parseYaml(readFileSync(path, 'utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read }
  } catch {
    throw new ConfigError(`${CONFIG_FILE}: the file cannot be read as YAML`)
  }
  throw new ConfigError(`${CONFIG_FILE}: the file must hold names and values`)
}

function fromEnvironment(
  environment: Record<string, string | undefined>,
  plugins: readonly Plugin[],
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { name } of plugins) {
    const fileName = `${environmentPrefix(name)}${POLICY_FILE}`
    const path = environment[fileName]
    if (path !== undefined) found[camelCase(name)] = fromPolicyFile(fileName, path)
  }
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('KEYSTEAD_') || FOREIGN.test(name) || name === CONFIG_FILE || value === undefined) continue
    const plugin = plugins.find((each) => name.startsWith(environmentPrefix(each.name)))
    if (plugin === undefined) found[settingName(name, 'KEYSTEAD_')] = value
    else if (name !== `${environmentPrefix(plugin.name)}${POLICY_FILE}`) {
      const member = camelCase(plugin.name)
      found[member] = { ...(found[member] as object), [settingName(name, environmentPrefix(plugin.name))]: value }
    }
  }
  return found
}

function fromPolicyFile(name: string, path: string): Record<string, unknown> {
  const read = readPolicyFile(path)
  if (read === undefined) throw new ConfigError(`${name}: the file cannot be read as names and values in YAML`)
  return read
}

function settingName(name: string, prefix: string): string {
  const words = name.slice(prefix.length).toLowerCase().split('_')
  return words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}

function environmentName(path: readonly PropertyKey[]): string {
  // An item of a list has no name of its own.
  const names = path.filter((part) => typeof part === 'string')
  const words = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`))
  return `KEYSTEAD_${words.join('_').toUpperCase()}`
}

/** sysexits.h EX_CONFIG */
const EXIT_CONFIG = 78

/**
 * For the entry of a process: the settings, or every mistake on stderr and the end.
 * @param check What else this process needs of them; the mistake in words.
 */
export function configOrExit(check: (config: Config) => string | undefined = () => undefined): Config {
  try {
    const config = loadConfig(process.env)
    const mistake = check(config)
    if (mistake !== undefined) throw new ConfigError(`bad settings\n  ${mistake}`)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`keystead: ${error.message}`)
    process.exit(EXIT_CONFIG)
  }
}
