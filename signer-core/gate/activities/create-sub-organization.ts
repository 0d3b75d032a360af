import { generateWallet } from 'keystead:engine/engine@0.1.0'
import type { CreateSubOrganization } from '../../protocol/activities/create-sub-organization.ts'
import { MNEMONIC_LENGTH_DEFAULT } from '../../protocol/activities/create-wallet.ts'
import { RECORD_FORMAT, type OrganizationRecord } from '../../protocol/organization-record.ts'
import { RefusalError } from '../../protocol/refusals.ts'
import type { JsonObject } from '../../protocol/strict-json.ts'
import { walletBinding } from '../key-binding.ts'
import { newIds } from '../key-ids.ts'
import { newUser } from '../new-users.ts'
import { newWalletOf } from '../new-wallet.ts'
import { checkRecord } from '../next-record.ts'
import { committed, type Effect, type Operation, type PlanContext } from '../operation.ts'
import { accountsCommitment, planAccounts } from '../wallet-accounts.ts'
import { createKey } from './create-private-keys.ts'

/** The users of the body are its root quorum. What is made along with it is sealed for it and not for its parent. */
function createSubOrganization(result: string): Operation<CreateSubOrganization> {
  return {
    plan(params, context) {
      if (context.organization.parentOrganizationId !== undefined) {
        throw new RefusalError('PARAMETERS_INVALID', 'a sub-organization has no sub-organizations', 'organizationId')
      }
      const { wallet, privateKeys = [] } = params
      const accounts = planAccounts(wallet?.accounts ?? [], context, 0)
      const nextId = newIds(context, accounts.length)
      const [subOrganizationId, walletId] = [nextId(), nextId()]
      const keyIds = privateKeys.map(nextId)
      privateKeys.forEach(({ privateKeyTags }, i) => {
        if (privateKeyTags.length === 0) return
        const field = `parameters.privateKeys.${i}.privateKeyTags`
        throw new RefusalError('TAG_NOT_FOUND', 'a new organization has no tags', field)
      })
      const record = firstRecord(params, subOrganizationId, nextId, context)
      const rootUserIds = record.rootQuorum.userIds
      return {
        commitment: committed('CREATE_SUB_ORGANIZATION', {
          ...params,
          subOrganizationId,
          rootUserIds,
          keyIds,
          wallet: wallet && { ...wallet, walletId, accounts: accountsCommitment(accounts) },
        }),
        execute() {
          const keys = privateKeys.map((each, i) => createKey(each, keyIds[i] as string, subOrganizationId))
          const made = wallet && newWallet(walletId, wallet, accounts, subOrganizationId)
          const shown: JsonObject = {
            subOrganizationId,
            ...(made && { wallet: made.shown }),
            ...(keys.length > 0 && { privateKeys: keys.map((each) => each.shown) }),
            rootUserIds,
          }
          const newKeys = [...keys.map(({ newKey }) => newKey), ...(made?.effect.newKeys ?? [])]
          const newWallets = made?.effect.newWallets ?? []
          return { result: { [result]: shown }, newKeys, newWallets, newOrganization: record } satisfies Effect
        },
      }
    },
  }
}

function newWallet(
  walletId: string,
  { walletName, mnemonicLength = MNEMONIC_LENGTH_DEFAULT }: NonNullable<CreateSubOrganization['wallet']>,
  accounts: ReturnType<typeof planAccounts>,
  organizationId: string,
) {
  const sealed = generateWallet(mnemonicLength, walletBinding(organizationId, walletId))
  return newWalletOf(walletId, sealed, { walletName, imported: false }, accounts, organizationId)
}

function firstRecord(
  { subOrganizationName, rootUsers, rootQuorumThreshold }: CreateSubOrganization,
  organizationId: string,
  nextId: () => string,
  { organizationId: parentOrganizationId, nowMs }: PlanContext,
): OrganizationRecord {
  const users = rootUsers.map((each) => newUser(each, nextId, nowMs))
  const record: OrganizationRecord = {
    format: RECORD_FORMAT,
    organizationId,
    parentOrganizationId,
    organizationName: subOrganizationName,
    version: 1,
    users,
    rootQuorum: { threshold: rootQuorumThreshold, userIds: users.map(({ userId }) => userId) },
    policies: [],
    userTags: [],
    privateKeyTags: [],
    features: [],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    deletedAtMs: undefined,
  }
  checkRecord(record, nowMs)
  return record
}

export const createSubOrganizationV8 = createSubOrganization('createSubOrganizationResultV8')
export const createSubOrganizationV7 = createSubOrganization('createSubOrganizationResultV7')
export const createSubOrganizationV6 = createSubOrganization('createSubOrganizationResultV6')
export const createSubOrganizationV5 = createSubOrganization('createSubOrganizationResultV5')
export const createSubOrganizationV4 = createSubOrganization('createSubOrganizationResultV4')
export const createSubOrganizationV3 = createSubOrganization('createSubOrganizationResultV3')
export const createSubOrganizationV2 = createSubOrganization('createSubOrganizationResult')
