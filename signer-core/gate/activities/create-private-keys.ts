import { generate } from 'keystead:engine/engine@0.1.0'
import type { CreatePrivateKeys } from '../../protocol/activities/create-private-keys.ts'
import { curveOfName } from '../../protocol/curves.ts'
import type { JsonObject } from '../../protocol/strict-json.ts'
import { keyBinding } from '../key-binding.ts'
import { newKeyId } from '../key-ids.ts'
import { newKeyOf } from '../new-key.ts'
import { nextRecord } from '../next-record.ts'
import type { Operation, PlanContext } from '../operation.ts'
import { withTagged } from '../tagged-keys.ts'
import type { NewKey } from '../wit-types.ts'

type Wanted = CreatePrivateKeys['privateKeys'][number]
interface Created {
  newKey: NewKey
  shown: { privateKeyId: string; addresses: { format: string; address: string }[] }
}

export function createKey(wanted: Wanted, keyId: string, organizationId: string): Created {
  const fresh = generate(curveOfName[wanted.curve], keyBinding(organizationId, keyId))
  const { newKey, addresses } = newKeyOf(keyId, organizationId, wanted, fresh, false)
  return { newKey, shown: { privateKeyId: keyId, addresses: addresses.map((each) => ({ ...each })) } }
}

function createPrivateKeys(resultOf: (created: Created[]) => JsonObject): Operation<CreatePrivateKeys> {
  return {
    plan({ privateKeys }, context: PlanContext) {
      const keyIds = privateKeys.map((_, i) => newKeyId(context.activityId, context.bodyDigest, i))
      const { organization, nowMs } = context
      const tagged = privateKeys.map(({ privateKeyTags }, i) => ({
        keyId: keyIds[i] as string,
        tagIds: privateKeyTags,
        field: `parameters.privateKeys.${i}.privateKeyTags`,
      }))
      const hasTags = privateKeys.some(({ privateKeyTags }) => privateKeyTags.length > 0)
      const next = hasTags
        ? nextRecord(context, { privateKeyTags: withTagged(organization, tagged, nowMs) })
        : undefined
      return {
        commitment: { operation: 'CREATE_PRIVATE_KEYS', keyIds, privateKeys: privateKeys.map((each) => ({ ...each })) },
        execute() {
          const created = privateKeys.map((wanted, i) => createKey(wanted, keyIds[i] as string, context.organizationId))
          return {
            result: resultOf(created),
            newKeys: created.map(({ newKey }) => newKey),
            ...(next && { organization: next }),
          }
        },
      }
    },
  }
}

const idsOf = (created: Created[]) => created.map((each) => each.shown.privateKeyId)

/** Clients read the first name; the specification and older readers the second. */
export const createPrivateKeysV2 = createPrivateKeys((created) => {
  const privateKeys = created.map((each) => each.shown)
  return {
    createPrivateKeysResultV2: { privateKeys },
    createPrivateKeysResult: { privateKeys, privateKeyIds: idsOf(created) },
  }
})

export const createPrivateKeysV1 = createPrivateKeys((created) => ({
  createPrivateKeysResult: { privateKeyIds: idsOf(created) },
}))
