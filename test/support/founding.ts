import { randomUUID } from 'node:crypto'
import type { Founding } from '../../signer-core/protocol/organization-record.ts'

/** An operator's call that founds an organization of one user. `publicKey`: compressed point, lower-case hex. */
export function foundingCall(publicKey = '026b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'): {
  foundOrganization: string
} {
  const userId = randomUUID()
  const apiKey = { apiKeyId: randomUUID(), apiKeyName: 'key', curveType: 'API_KEY_CURVE_P256' as const, publicKey }
  const founding: Founding = {
    organizationId: randomUUID(),
    organizationName: 'Test',
    users: [{ userId, userName: 'root', apiKeys: [apiKey] }],
    rootQuorum: { threshold: 1, userIds: [userId] },
  }
  return { foundOrganization: JSON.stringify(founding) }
}
