/** EIP-712 digest of an EIP-3009 `TransferWithAuthorization`, for the domain of one token. */
import { concat, encodeAbiParameters, keccak256, toHex, type Address, type Hex } from 'viem'
import type { TransferAuthorization } from './authorization.ts'

export interface TokenDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly asset: Address
}

const DOMAIN_TYPE = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
const TRANSFER_TYPE = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)
const WORD = { type: 'bytes32' } as const
const ADDRESS = { type: 'address' } as const
const UINT = { type: 'uint256' } as const

export function domainSeparator({ name, version, chainId, asset }: TokenDomain): Hex {
  const values = [DOMAIN_TYPE, hashText(name), hashText(version), BigInt(chainId), asset] as const
  return keccak256(encodeAbiParameters([WORD, WORD, WORD, UINT, ADDRESS], values))
}

/** What the payer signed. */
export function transferDigest(separator: Hex, signed: TransferAuthorization): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = signed
  const values = [TRANSFER_TYPE, from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const
  const struct = keccak256(encodeAbiParameters([WORD, ADDRESS, ADDRESS, UINT, UINT, UINT, WORD], values))
  return keccak256(concat(['0x1901', separator, struct]))
}

function hashText(text: string): Hex {
  return keccak256(toHex(text))
}
