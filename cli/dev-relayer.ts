/** The relayer keys of development mode: made in the operator's organization, as any client would make them. */
import type { Address } from 'viem'
import type { ApiClient } from './api-client.ts'

interface PrivateKey {
  privateKeyName: string
  addresses: { format: string; address: string }[]
}

const FORMAT = 'ADDRESS_FORMAT_ETHEREUM'

/** The address of the key of this name, which is made when it is not there. */
export async function devRelayer(operator: ApiClient, name: string): Promise<Address> {
  const known = await findKey(operator, name)
  if (known !== undefined) return known
  const privateKeys = [{ privateKeyName: name, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [FORMAT] }]
  await operator.submit('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys }, Date.now())
  const made = await findKey(operator, name)
  if (made === undefined) throw new Error('the relayer key was not made')
  return made
}

async function findKey(operator: ApiClient, name: string): Promise<Address | undefined> {
  const { privateKeys } = await operator.query<{ privateKeys: PrivateKey[] }>('list_private_keys')
  const key = privateKeys.find((each) => each.privateKeyName === name)
  return key?.addresses.find(({ format }) => format === FORMAT)?.address as Address | undefined
}
