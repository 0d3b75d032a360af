/** Signatures of the relayers: each is an activity of the operator's organization. */
import { isAddress, type Address, type Hex } from 'viem'
import type { PrivateKeys } from '../../private-keys/private-keys.ts'
import { ActivityUnavailableError, type ActivityEnd, type ActivityRequest } from '../../plugin-api.ts'

export type Signed =
  | { status: 'signed'; raw: Hex }
  /** A decision: nothing was signed, and for this body nothing will be unless somebody changes the rules. */
  | { status: 'refused'; code: string }
  /** Nobody knows yet: ask again, with the same body. */
  | { status: 'later' }

/** What the engine needs of the signing API. */
export interface RelayerKeys {
  /** Addresses of those of these keys that exist, in the order of the names. */
  addresses(names: readonly string[]): Promise<Address[]>
  /** @param timestampMs Part of the activity's identity. */
  sign(from: Address, unsigned: Hex, timestampMs: string): Promise<Signed>
}

/** Every payment asks who would send it; keys come and go by hand. */
const KEEP_ADDRESSES_MS = 1_000

export function relayerKeys(
  organizationId: string | undefined,
  privateKeys: PrivateKeys,
  submitActivity: (request: ActivityRequest) => Promise<ActivityEnd>,
): RelayerKeys {
  let kept = { names: '', addresses: [] as Address[], atMs: -Infinity }
  return {
    async addresses(names) {
      if (organizationId === undefined) return []
      const isFresh = kept.addresses.length > 0 && performance.now() - kept.atMs < KEEP_ADDRESSES_MS
      if (isFresh && kept.names === names.join()) return kept.addresses
      const keys = await privateKeys.list(organizationId)
      const found = names.map((name) => {
        const key = keys.find((each) => each.privateKeyName === name)
        return key?.addresses.find(({ format }) => format === 'ADDRESS_FORMAT_ETHEREUM')?.address
      })
      const addresses = found.filter((address) => address !== undefined && isAddress(address))
      kept = { names: names.join(), addresses, atMs: performance.now() }
      return addresses
    },

    async sign(from, unsigned, timestampMs) {
      const type = 'TRANSACTION_TYPE_ETHEREUM'
      const parameters = { signWith: from, unsignedTransaction: unsigned.slice(2), type }
      try {
        return signedOf(await submitActivity({ type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', timestampMs, parameters }))
      } catch (error) {
        if (error instanceof ActivityUnavailableError) return { status: 'later' }
        throw error
      }
    },
  }
}

function signedOf(end: ActivityEnd): Signed {
  switch (end.status) {
    case 'completed': {
      const { signedTransaction } = end.result['signTransactionResult'] as { signedTransaction: string }
      return { status: 'signed', raw: `0x${signedTransaction}` }
    }
    case 'failed':
    case 'refused':
      return { status: 'refused', code: end.code }
    case 'pending':
      return { status: 'later' }
  }
}
