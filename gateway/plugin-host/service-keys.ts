/** The service keys of the plug-ins: one for each, so that the policy of one says nothing of what another may sign. */
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { ServiceKey } from './service-key.ts'

export class ServiceKeys {
  /** The operator's; undefined where no key is set. */
  readonly organizationId: string | undefined
  private readonly own: ReadonlyMap<string, ServiceKey>
  private readonly common: ServiceKey | undefined

  /** @throws {ServiceKeyError} when a file cannot be used. @throws {StartError} when keys are of several organizations. */
  constructor({ serviceKeys = {}, serviceKeyFile }: Pick<Config, 'serviceKeys' | 'serviceKeyFile'>) {
    this.own = new Map(Object.entries(serviceKeys).map(([plugin, path]) => [plugin, new ServiceKey(path)]))
    this.common = serviceKeyFile === undefined ? undefined : new ServiceKey(serviceKeyFile)
    const all = [...this.own.values(), ...(this.common === undefined ? [] : [this.common])]
    const [organizationId, ...others] = new Set(all.map((key) => key.organizationId))
    if (others.length > 0) throw new StartError('the service keys are of several organizations: one is the operator’s')
    this.organizationId = organizationId
  }

  of(plugin: string): ServiceKey | undefined {
    return this.own.get(plugin) ?? this.common
  }
}
