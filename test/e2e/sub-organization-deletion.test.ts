/** Deleting a sub-organization: refused while something in it never left, and then nothing sealed of it stays. */
import test from 'ava'
import { newApiKeyPair } from '../../cli/api-key-pair.ts'
import { privateKeysSpec, walletAccountsSpec, walletsSpec } from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'

/** The reference engine takes seconds for a wallet. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const service = await startService({ environment })
test.after.always(() => service.dispose())
const { dev } = service
const root = new Client(dev.baseUrl, dev)

const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}

test('what was sealed is emptied, and the parent keeps its own', async (t) => {
  const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = newApiKeyPair()
  const apiKey = { apiKeyName: 'k', publicKey: apiPublicKey, curveType: 'API_KEY_CURVE_P256' }
  const rootUser = { userName: 'r', apiKeys: [apiKey], authenticators: [], oauthProviders: [] }
  const wallet = { walletName: 'w', accounts: [account] }
  const parameters = { subOrganizationName: 's', rootUsers: [rootUser], rootQuorumThreshold: 1, wallet }
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'
  const { json } = await root.submit('create_sub_organization', type, parameters)
  const organizationId = json.activity.result.createSubOrganizationResultV8.subOrganizationId as string
  const sub = new Client(dev.baseUrl, { organizationId, apiPublicKey, apiPrivateKey })
  await sub.createKey('CURVE_P256')
  const { privateKeyId: kept } = await root.createKey('CURVE_P256')

  const remove = (deletion: object) =>
    sub.submit('delete_sub_organization', 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', deletion)
  const refused = await remove({ deleteWithoutExport: false })
  t.deepEqual([refused.status, refused.json.code], [400, 9])
  t.is((await remove({ deleteWithoutExport: true })).status, 200)
  t.is((await sub.query('whoami')).status, 200, 'it can be read')
  const { status, json: error } = await sub.submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 't',
    userIds: [],
  })
  t.deepEqual([status, error.turnkeyErrorCode], [404, 'ORGANIZATION_NOT_FOUND'])
  t.is((await root.sign(kept, 'x', 'HASH_FUNCTION_SHA256')).status, 200)

  await service.stop()
  const store = await openStore({ dataDir: service.dataDir })
  t.teardown(() => store.close())
  const all = { where: {}, sort: '_id', limit: 10 } as const
  const keys = (await store.collection(privateKeysSpec).find(all)).items
  const accounts = (await store.collection(walletAccountsSpec).find(all)).items
  const wallets = (await store.collection(walletsSpec).find(all)).items
  t.deepEqual([keys.length, accounts.length, wallets.length], [2, 1, 1])
  for (const { _id, sealedKey } of [...keys, ...accounts]) t.is(sealedKey.sealed === '', _id !== kept)
  t.is(wallets[0]?.sealedWallet.sealed, '')
})
