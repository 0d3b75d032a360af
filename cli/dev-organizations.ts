/** What development mode founds at its first start: an organization to use and the operator's own. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Organizations } from '../gateway/organizations/organizations.ts'
import { openStore } from '../gateway/store/open-store.ts'
import type { Founding } from '../signer-core/protocol/organization-record.ts'
import { newApiKeyPair } from './api-key-pair.ts'
import { foundOrganization } from './operator-client.ts'
import { writePrivateFile } from './private-file.ts'

export interface DevOrganization {
  organizationId: string
  userId: string
  apiPublicKey: string
  apiPrivateKey: string
}

export interface DevOrganizations {
  user: DevOrganization
  operator: DevOrganization
}

/** The credentials are on disk before the organizations exist, so that a crash in between locks nobody out. */
export async function devOrganizations(dataDir: string, mongodbUrl?: string): Promise<DevOrganizations> {
  const path = join(dataDir, 'dev-credentials.json')
  if (!existsSync(path)) writePrivateFile(path, { user: newOrganization(), operator: newOrganization() })
  const credentials = JSON.parse(readFileSync(path, 'utf8')) as DevOrganizations
  const store = await openStore({ dataDir, mongodbUrl })
  try {
    const organizations = new Organizations(store)
    await organizations.refuseFormerFormat()
    await found(organizations, dataDir, credentials.user, 'Development')
    await found(organizations, dataDir, credentials.operator, 'Operator')
  } finally {
    await store.close()
  }
  return credentials
}

function newOrganization(): DevOrganization {
  const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = newApiKeyPair()
  return { organizationId: randomUUID(), userId: randomUUID(), apiPublicKey, apiPrivateKey }
}

async function found(
  organizations: Organizations,
  dataDir: string,
  { organizationId, userId, apiPublicKey: publicKey }: DevOrganization,
  organizationName: string,
): Promise<void> {
  if ((await organizations.document(organizationId)) !== undefined) return
  const curveType = 'API_KEY_CURVE_P256' as const
  const founding: Founding = {
    organizationId,
    organizationName,
    users: [
      { userId, userName: 'root', apiKeys: [{ apiKeyId: randomUUID(), apiKeyName: 'root', curveType, publicKey }] },
    ],
    rootQuorum: { threshold: 1, userIds: [userId] },
  }
  await organizations.insert(organizationId, await foundOrganization(dataDir, founding), Date.now())
}
