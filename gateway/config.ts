/**
 * Every setting of the gateway: name, type, unit, default and a sentence, once. They come from the environment
 * (`KEYSTEAD_DATA_DIR`) or from one YAML file (`dataDir:` in the file that `KEYSTEAD_CONFIG` names); the environment wins.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'

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
})

export type Config = Readonly<z.infer<typeof settings>>

/** On top of the launcher's own times, so that its answer comes first. */
const SIGNER_MARGIN_MS = 10_000

/** How long a call to the signer may take: a place in the launcher's queue, then a host, a deadline each. */
export function signerDeadlineMs({ signerDeadlineMs: deadlineMs }: Pick<Config, 'signerDeadlineMs'>): number {
  return 2 * deadlineMs + SIGNER_MARGIN_MS
}

/** The launcher and the tests read names of their own. */
const FOREIGN = /^KEYSTEAD_(?:SIGNER_(?!DEADLINE_MS$)|TEST_)/
const CONFIG_FILE = 'KEYSTEAD_CONFIG'

/** All mistakes at once, each with the setting's name and without its value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws {ConfigError} naming every unknown and every bad setting. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const read = settings
    .refine(({ redisUrl, mongodbUrl }) => redisUrl === undefined || mongodbUrl !== undefined, {
      path: ['redisUrl'],
      message: 'needs KEYSTEAD_MONGODB_URL: processes that share a queue must share a store',
    })
    .safeParse({ ...fromFile(environment[CONFIG_FILE]), ...fromEnvironment(environment) })
  if (read.success) return read.data
  const mistakes = read.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `unknown: ${issue.keys.map(environmentName).join(', ')}`
      : `${environmentName(issue.path.join('.'))}: ${issue.message}`,
  )
  throw new ConfigError(`bad settings\n  ${mistakes.join('\n  ')}`)
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

function fromEnvironment(environment: Record<string, string | undefined>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('KEYSTEAD_') || FOREIGN.test(name) || name === CONFIG_FILE || value === undefined) continue
    const words = name.slice('KEYSTEAD_'.length).toLowerCase().split('_')
    found[words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')] = value
  }
  return found
}

function environmentName(setting: string): string {
  return `KEYSTEAD_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
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
