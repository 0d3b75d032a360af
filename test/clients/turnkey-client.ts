import { Turnkey } from '@turnkey/sdk-server'
import type { DevJson } from '../support/service.ts'

/** The unmodified SDK, pointed at the service as its users would. */
export function turnkeyClient({ baseUrl, organizationId, apiPublicKey, apiPrivateKey }: DevJson) {
  return new Turnkey({
    apiBaseUrl: baseUrl,
    defaultOrganizationId: organizationId,
    apiPublicKey,
    apiPrivateKey,
  }).apiClient()
}
