import { object } from '../../signer-core/protocol/schema.ts'
import { presentTag } from '../organizations/present.ts'
import { defineQuery } from './query.ts'

export const listUserTags = defineQuery({
  parameters: object({}),
  run: async (_, { organization }) => ({
    userTags: organization.userTags.map((tag) => presentTag(tag, 'TAG_TYPE_USER')),
  }),
})

export const listPrivateKeyTags = defineQuery({
  parameters: object({}),
  run: async (_, { organization }) => ({
    privateKeyTags: organization.privateKeyTags.map((tag) => presentTag(tag, 'TAG_TYPE_PRIVATE_KEY')),
  }),
})
