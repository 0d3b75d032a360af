/**
 * The service users of development mode: one for each plug-in that signs, with the policies of `policies/examples` filled in
 * from the plug-in's settings. The operator's root key stays with the human; gateway and worker are given these keys.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { cancelCeiling } from '../gateway/chains/sending/fees.ts'
import type { Config } from '../gateway/config.ts'
import type { ApiClient } from './api-client.ts'
import { devRelayer } from './dev-relayer.ts'
import type { ParameterTexts } from './policy-parameters.ts'
import { servicePolicies } from './service-policies.ts'
import { serviceCredentials, setUpServiceUser } from './service-user.ts'

const signing = z.object({ relayerKeys: z.array(z.string()), gasLimitMax: z.bigint(), feeCeiling: z.bigint() })
const x402Settings = signing.extend({ asset: z.string() })
const relaySettings = signing.extend({
  guard: z.string().optional(),
  delegates: z.array(z.object({ address: z.string() })),
})

interface Service {
  plugin: string
  /** In `policies/examples`. */
  document: string
  /** Of the document, beside those that all have; undefined: the plug-in is not set up to sign. */
  values: (settings: unknown) => ParameterTexts | undefined
}

const services: readonly Service[] = [
  {
    plugin: 'x402',
    document: 'x402-key.yaml',
    values: (settings) => {
      const { asset } = x402Settings.parse(settings)
      return asset === '' ? undefined : { token: asset }
    },
  },
  {
    plugin: 'gas-relay',
    document: 'relayer-key.yaml',
    values: (settings) => {
      const { guard, delegates } = relaySettings.parse(settings)
      if (guard === undefined || delegates.length === 0) return undefined
      return { guard, delegates: delegates.map(({ address }) => address.slice(2).toLowerCase()).join(',') }
    },
  },
]

/**
 * Makes the key files, before any user has the keys. The file of former versions, which held the root key, goes.
 * @returns the gateway's settings.
 */
export function serviceKeysEnvironment(dataDir: string, organizationId: string): NodeJS.ProcessEnv {
  rmSync(join(dataDir, 'dev-service-key.json'), { force: true })
  const pairs = services.map(({ plugin }) => {
    serviceCredentials(pathOf(dataDir, plugin), organizationId)
    return `${plugin}=${pathOf(dataDir, plugin)}`
  })
  return { KEYSTEAD_SERVICE_KEYS: pairs.join(',') }
}

/** Also where an older version has founded the organizations. Does nothing that is done. @throws {CliError} */
export async function devServiceUsers(operator: ApiClient, { dataDir, chainId, plugins }: Config): Promise<void> {
  for (const { plugin, document, values } of services) {
    const settings = plugins[plugin]
    const own = values(settings)
    const { relayerKeys, gasLimitMax, feeCeiling } = signing.parse(settings)
    if (own === undefined || relayerKeys.length === 0) continue
    const relayers: string[] = []
    for (const name of relayerKeys) relayers.push(await devRelayer(operator, name))
    const common = {
      relayers: relayers.join(','),
      chainId: String(chainId),
      gasLimitMax: String(gasLimitMax),
      feeCeiling: String(feeCeiling),
      cancelFeeCeiling: String(cancelCeiling(feeCeiling)),
    }
    const text = readFileSync(join(import.meta.dirname, '../policies/examples', document), 'utf8')
    const credentials = serviceCredentials(pathOf(dataDir, plugin), operator.organizationId)
    await setUpServiceUser(operator, plugin, credentials, (userId) =>
      servicePolicies(text, { ...common, ...own }, userId),
    )
  }
}

function pathOf(dataDir: string, plugin: string): string {
  return join(dataDir, `dev-service-${plugin}.json`)
}
