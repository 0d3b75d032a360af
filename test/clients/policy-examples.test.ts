/** The documents in policies/examples through the unmodified SDK: stored by createPolicies, obeyed by the signer. */
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import test from 'ava'
import { recoverTransactionAddress, serializeTransaction, type TransactionSerialized } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { newPeople, type Api, type Person } from '../support/people.ts'
import { exampleCases, OTHER_KEY, type ExampleRequest } from '../support/policy-example-cases.ts'
import { EXAMPLE_KEY, examplePolicies } from '../support/policy-examples.ts'
import { startService } from '../support/service.ts'
import { refusal, turnkeyClient } from './turnkey-client.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { dev } = service
const root = turnkeyClient(dev)

const addressOf = (privateKey: string) => privateKeyToAddress(`0x${privateKey}`)

test.before('the examples name an account by its address, so its key is imported', async () => {
  const { userId } = await root.getWhoami()
  for (const privateKey of [EXAMPLE_KEY, OTHER_KEY]) {
    const { importBundle } = await root.initImportPrivateKey({ userId })
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey,
      keyFormat: 'HEXADECIMAL',
      importBundle,
      userId,
      organizationId: dev.organizationId,
      dangerouslyOverrideSignerPublicKey: dev.signerPublicKey,
    })
    await root.importPrivateKey({
      userId,
      privateKeyName: 'example',
      encryptedBundle,
      curve: 'CURVE_SECP256K1',
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    })
  }
})

const sign = (api: Api, { transaction, privateKey }: ExampleRequest) =>
  api.signTransaction({
    signWith: addressOf(privateKey),
    unsignedTransaction: serializeTransaction(transaction).slice(2),
    type: 'TRANSACTION_TYPE_ETHEREUM',
  })

for (const [name, { userId, allowed, denied }] of Object.entries(exampleCases)) {
  test(`${name}: its user gets ${Object.keys(allowed).length} signatures and ${Object.keys(denied).length} refusals`, async (t) => {
    const [user, other] = (await newPeople(root, dev, [name, 'other'])) as [Person, Person]
    const policies = examplePolicies(name)
    await root.createPolicies({
      policies: policies.map((policy) => ({
        ...policy,
        consensus: (policy.consensus ?? '').replaceAll(userId, user.userId),
      })),
    })
    for (const [what, request] of Object.entries(allowed)) {
      const { signedTransaction } = await sign(user.api, request)
      const serializedTransaction = `0x${signedTransaction}` as TransactionSerialized
      t.is(await recoverTransactionAddress({ serializedTransaction }), addressOf(request.privateKey), what)
      t.is((await refusal(t, sign(other.api, request))).code, 7, what)
    }
    for (const [what, request] of Object.entries(denied)) {
      t.is((await refusal(t, sign(user.api, request))).code, 7, what)
    }
  })
}
