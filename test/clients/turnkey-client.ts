import { Turnkey } from '@turnkey/sdk-server'
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
