import { request } from 'node:http'
import { operatorSocketOf, type Config } from '../gateway/config.ts'
import { Organizations } from '../gateway/organizations/organizations.ts'
import { openStore } from '../gateway/store/open-store.ts'
import type { Notarized } from '../signer-core/protocol/messages.ts'

/**
 * Stores a founded organization: through the gateway that runs in the data folder, which may be the only process that
 * can write the store, or directly when there is none.
 * @throws {Error} with a sentence for the operator.
 */
export async function storeOrganization(config: Config, organization: Notarized): Promise<void> {
  const status = await post(operatorSocketOf(config), '/organizations', organization)
  if (status === undefined) return insert(config, organization)
  if (status !== 201) throw new Error(`the gateway did not store the organization (${status})`)
}

async function insert(config: Config, organization: Notarized): Promise<void> {
  const { organizationId } = JSON.parse(organization.text) as { organizationId: string }
  const store = await openStore(config)
  try {
    await new Organizations(store).insert(organizationId, organization, Date.now())
  } finally {
    await store.close()
  }
}

/** @returns the HTTP status; undefined when no gateway listens. */
function post(socketPath: string, path: string, body: object): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, method: 'POST' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    })
    call.end(JSON.stringify(body))
  })
}
