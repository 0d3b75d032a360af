import { Turnkey, TurnkeyRequestError } from '@turnkey/sdk-server'
import type { ExecutionContext } from 'ava'
import type { Credentials } from '../support/client.ts'

/** The unmodified SDK, pointed at the service as its users would. */
export function turnkeyClient({
  baseUrl,
  organizationId,
  apiPublicKey,
  apiPrivateKey,
}: Credentials & { baseUrl: string }) {
  return new Turnkey({
    apiBaseUrl: baseUrl,
    defaultOrganizationId: organizationId,
    apiPublicKey,
    apiPrivateKey,
  }).apiClient()
}

/** What the SDK throws for an HTTP error. */
export async function refusal(t: ExecutionContext, work: Promise<unknown>): Promise<TurnkeyRequestError> {
  const error = await t.throwsAsync<TurnkeyRequestError>(work, { instanceOf: TurnkeyRequestError })
  if (error === undefined) throw new Error('it was not refused')
  return error
}
