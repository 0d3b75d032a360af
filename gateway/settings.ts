/** Every setting of the gateway: name, type, unit, default and a sentence, once. Plug-ins state their own. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { isMongodbUrl, isRedisUrl, TIMER_MS_MAX, wholeNumber } from './setting-types.ts'

const port = wholeNumber(0, 65_535)

export const settingsSchema = z.strictObject({
  /** Folder of the store, the sockets and, in development, the keys. */
  dataDir: z
    .string()
    .min(1)
    .default('data')
    .transform((path) => resolve(path)),
  /** Address to listen on. */
  host: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes any free one. */
  port: port.default(8080),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** MongoDB replica set with the name of a database; without it the store is a file in the data folder. */
  mongodbUrl: z
    .string()
    .refine(isMongodbUrl, 'must be mongodb://HOSTS/DATABASE, a password in it percent-encoded')
    .optional(),
  /**
   * Redis of the queue and the rate limiter; without it both are in the memory of the one gateway. An installation has its
   * database (`redis://HOST/2`) to itself.
   */
  redisUrl: z.string().refine(isRedisUrl, 'must be redis://HOST, a password in it percent-encoded').optional(),
  /** Where `keystead org` brings founded organizations; unless set it is `gateway.sock` in the data folder. */
  operatorSocket: z.string().min(1).optional(),
  /** Where a worker answers `/healthz` and `/readyz`; unless set it does not. */
  workerHealthPort: port.optional(),
  /** Time that one call may take in a signer host. The launcher reads it as well; both must have the same. */
  signerDeadlineMs: wholeNumber(100, 600_000).default(10_000),
  /** How long a submit request waits for its activity to end before it answers PENDING. */
  activityHoldMs: wholeNumber(0, TIMER_MS_MAX).default(5_000),
  /** Oldest `timestampMs` of a new activity; 0 takes any. When set, at most 5 minutes ahead are taken. */
  timestampAgeMaxMs: wholeNumber(0).default(0),
  /** Most activities under way at once; beyond it submits are answered 503. */
  activitiesUnderWayMax: wholeNumber(1).default(10_000),
  /** `<plug-in>=<file>`, separated by commas. JSON `{organizationId, apiPublicKey, apiPrivateKey}`: what the plug-in needs signed is stamped with it. */
  serviceKeys: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.string().regex(/^[a-z][-a-z0-9]*=./, 'must be PLUG-IN=FILE')))
    .transform((items) => items.map(splitPair))
    .refine((pairs) => new Set(pairs.map(([name]) => name)).size === pairs.length, 'names a plug-in twice')
    .transform((pairs) => Object.fromEntries(pairs))
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
  chainId: wholeNumber(1).default(84_532),
  /** What makes a block final: so many on top of it (`depth`), or the chain's own word for it. */
  chainFinality: z.enum(['depth', 'safe', 'finalized']).default('depth'),
  /** Blocks on top of a transaction's before it counts as final; with another finality, how much longer it is watched. */
  chainFinalityDepth: wholeNumber(0, 10_000).default(15),
  /** Transactions of one relayer that wait to be mined at once; geth keeps 16 of an account for certain. */
  chainInFlightMax: wholeNumber(1, 1_000).default(16),
  /** How often the chain is looked at; after a broadcast sooner, from a 32nd of this on. */
  chainPollMs: wholeNumber(10, TIMER_MS_MAX).default(500),
  /** Where Prometheus may read a gateway, on a listener of its own; unset: nowhere. */
  metricsPort: port.optional(),
  /** The same of a worker, which shares its settings with gateways of the same machine. */
  workerMetricsPort: port.optional(),
})

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
