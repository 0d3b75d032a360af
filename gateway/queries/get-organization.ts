import { object } from '../../signer-core/protocol/schema.ts'
import { presentPolicy, presentTag, presentUser } from '../organizations/present.ts'
import { presentPrivateKey } from '../private-keys/present.ts'
import { presentWallet } from '../wallets/present.ts'
import { defineQuery } from './query.ts'

export const getOrganization = defineQuery({
  parameters: object({}),
  async run(_, { organization }, parts) {
    const { organizationId, organizationName: name, users, policies, rootQuorum, features } = organization
    const [privateKeys, wallets] = await Promise.all([
      parts.privateKeys.list(organizationId),
      parts.wallets.list(organizationId),
    ])
    const organizationData = {
      organizationId,
      name,
      users: users.map(presentUser),
      policies: policies.map(presentPolicy),
      privateKeys: privateKeys.map((key) => presentPrivateKey(key, organization)),
      invitations: [],
      tags: [
        ...organization.userTags.map((tag) => presentTag(tag, 'TAG_TYPE_USER')),
        ...organization.privateKeyTags.map((tag) => presentTag(tag, 'TAG_TYPE_PRIVATE_KEY')),
      ],
      rootQuorum,
      features,
      wallets: wallets.map(presentWallet),
      smartContractInterfaceReferences: [],
    }
    return { organizationData }
  },
})
