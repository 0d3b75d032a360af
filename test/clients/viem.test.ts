/** The unmodified @turnkey/viem over both clients: accounts by address and by key id, whose signatures recover. */
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient } from '@turnkey/http'
import { Turnkey } from '@turnkey/sdk-server'
import { createAccount } from '@turnkey/viem'
import test from 'ava'
import { hashMessage, isAddressEqual, keccak256, recoverAddress, recoverMessageAddress, type Hex } from 'viem'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'

const service = await startService()
test.after.always(() => service.dispose())

const { baseUrl, organizationId, apiPublicKey, apiPrivateKey } = service.dev
type AnyClient = Parameters<typeof createAccount>[0]['client']
// The adapter declares the client of an older release of http; a user of both has to say the same.
const clients: Record<string, AnyClient> = {
  '@turnkey/http': new TurnkeyClient(
    { baseUrl },
    new ApiKeyStamper({ apiPublicKey, apiPrivateKey }),
  ) as unknown as AnyClient,
  '@turnkey/sdk-server': new Turnkey({
    apiBaseUrl: baseUrl,
    apiPublicKey,
    apiPrivateKey,
    defaultOrganizationId: organizationId,
  }).apiClient(),
}

let privateKeyId: string
let address: Hex
test.before(async () => {
  const created = await new Client(baseUrl, service.dev).createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  privateKeyId = created.privateKeyId
  address = created.addresses[0] as Hex
})

const spellings = {
  'the checksummed address': () => address,
  'the lower-case address': () => address.toLowerCase(),
  'the key id': () => privateKeyId,
}

const messages = ['hello', '', 'héllo ✓', { raw: '0x00ff' as Hex }, 'x'.repeat(5_000)]

for (const [clientName, client] of Object.entries(clients)) {
  for (const [spelling, signWith] of Object.entries(spellings)) {
    test(`${clientName}, account by ${spelling}: signatures recover to the address`, async (t) => {
      const account = await createAccount({ client, organizationId, signWith: signWith() })
      t.true(isAddressEqual(account.address, address))

      for (const message of messages) {
        const signature = await account.signMessage({ message })
        t.regex(signature, /^0x[0-9a-f]{128}1[bc]$/)
        t.is(await recoverMessageAddress({ message, signature }), address)
      }

      const hash = keccak256('0x1234')
      const signature = (await account.sign?.({ hash })) as Hex
      t.is(await recoverAddress({ hash, signature }), address)
      t.not(await recoverAddress({ hash: hashMessage('other'), signature }), address)
    })
  }

  test(`${clientName}: both parities of R are told apart`, async (t) => {
    const account = await createAccount({ client, organizationId, signWith: address })
    const seen = new Set<string>()
    for (let i = 0; i < 64 && seen.size < 2; i++) {
      const message = `parity ${clientName} ${i}`
      const signature = await account.signMessage({ message })
      t.is(await recoverMessageAddress({ message, signature }), address)
      seen.add(signature.slice(-2))
    }
    t.deepEqual([...seen].toSorted(), ['1b', '1c'])
  })

  test(`${clientName}: a key without an Ethereum address is refused by the adapter`, async (t) => {
    const other = await new Client(baseUrl, service.dev).createKey('CURVE_ED25519', ['ADDRESS_FORMAT_SOLANA'])
    await t.throwsAsync(createAccount({ client, organizationId, signWith: other.privateKeyId }))
  })
}
