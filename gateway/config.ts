/**
 * Every setting of the gateway: name, type, unit, default and a sentence, once. They come from the environment
 * (`KEYSTEAD_DATA_DIR`) or from one YAML file (`dataDir:` in the file that `KEYSTEAD_CONFIG` names); the environment wins.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { camelCase, environmentPrefix } from './plugin-host/names.ts'
import { readPolicyFile } from './plugin-host/policy-file.ts'
import { plugins as installedPlugins } from './plugins.ts'
import type { Plugin } from './plugin-api.ts'

const milliseconds = z.coerce.number().int().min(0)

const settings = z.strictObject({
  /** Folder of the store, the sockets and, in development, the keys. */
  dataDir: z
    .string()
    .min(1)
    .default('data')
    .transform((path) => resolve(path)),
  /** Address to listen on. */
  host: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes any free one. */
  port: z.coerce.number().int().min(0).max(65_535).default(8080),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** MongoDB replica set with the name of a database; without it the store is a file in the data folder. */
  mongodbUrl: z
    .string()
    .regex(/^mongodb(?:\+srv)?:\/\/[^/]+\/[A-Za-z0-9_-]+(?:\?|$)/, 'must be mongodb://HOSTS/DATABASE')
    .optional(),
  /** Redis of the queue and the rate limiter; without it both are in the memory of the one gateway. */
  redisUrl: z
    .string()
    .regex(/^rediss?:\/\/./, 'must be redis://HOST')
    .optional(),
  /** Where `keystead org` brings founded organizations; unless set it is `gateway.sock` in the data folder. */
  operatorSocket: z.string().min(1).optional(),
  /** Where a worker answers `/healthz` and `/readyz`; unless set it does not. */
  workerHealthPort: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Time that one call may take in a signer host. The launcher reads it as well; both must have the same. */
  signerDeadlineMs: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** How long a submit request waits for its activity to end before it answers PENDING. */
  activityHoldMs: milliseconds.default(5_000),
  /** Oldest `timestampMs` of a new activity; 0 takes any. When set, at most 5 minutes ahead are taken. */
  timestampAgeMaxMs: milliseconds.default(0),
  /** Most activities under way at once; beyond it submits are answered 503. */
  activitiesUnderWayMax: z.coerce.number().int().min(1).default(10_000),
  /** `<plug-in>=<file>`, separated by commas. JSON `{organizationId, apiPublicKey, apiPrivateKey}`: what the plug-in needs signed is stamped with it. */
  serviceKeys: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.string().regex(/^[a-z][-a-z0-9]*=./, 'must be PLUG-IN=FILE')))
    .transform((items) => Object.fromEntries(items.map(splitPair)))
    .optional(),
  /** The same for plug-ins that have no key of their own. */
  serviceKeyFile: z.string().min(1).optional(),
  /** JSON-RPC endpoints of the one chain, separated by commas; two or more are held against each other. Unset: no chain. */
  rpcUrl: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))
    .optional(),
  /** Of `npm start`: whether it runs a chain of its own where no endpoint is named. */
  localChain: z.enum(['on', 'off']).default('on'),
  /** What every endpoint must say; another chain refuses to start. */
  chainId: z.coerce.number().int().min(1).default(84_532),
  /** What makes a block final: so many on top of it (`depth`), or the chain's own word for it. */
  chainFinality: z.enum(['depth', 'safe', 'finalized']).default('depth'),
  /** Blocks on top of a transaction's before it counts as final; with another finality, how much longer it is watched. */
  chainFinalityDepth: z.coerce.number().int().min(0).max(10_000).default(15),
  /** Transactions of one relayer that wait to be mined at once; geth keeps 16 of an account for certain. */
  chainInFlightMax: z.coerce.number().int().min(1).max(1_000).default(16),
  /** How often the chain is looked at; after a broadcast sooner, from a 32nd of this on. */
  chainPollMs: z.coerce.number().int().min(10).default(500),
  /** Where Prometheus may read, on a listener of its own; unset: nowhere. */
  metricsPort: z.coerce.number().int().min(0).max(65_535).optional(),
})

export type Config = Readonly<z.infer<typeof settings>> & {
  /** What was read for each plug-in, by its name. */
  readonly plugins: Readonly<Record<string, Record<string, unknown>>>
}

function splitPair(item: string): [string, string] {
  const split = item.indexOf('=')
  return [item.slice(0, split), item.slice(split + 1)]
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
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
  const read = settings
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
  const words = path.map((part) => String(part).replace(/[A-Z]/g, (letter) => `_${letter}`))
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
