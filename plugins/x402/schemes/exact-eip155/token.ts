/** The token's interface: EIP-3009 with both overloads, and what is read of it. Bytes in, bytes out. */
import {
  decodeAbiParameters,
  encodeFunctionData,
  keccak256,
  padHex,
  parseAbi,
  toHex,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import type { ExactDetail } from './authorization.ts'
import type { OwnSignatures } from './own-signatures.ts'
import type { SplitSignature } from './signature.ts'

const transferBySplit = parseAbi([
  'function transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)',
])
const transferByBytes = parseAbi([
  'function transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,bytes signature)',
])
const reads = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer,bytes32 nonce) view returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function isValidSignature(bytes32 hash,bytes signature) view returns (bytes4)',
])

export interface TokenOnChain {
  /** The first endpoint that answers. */
  readonly client: PublicClient
  /** What two endpoints say alike, or the only one. */
  readonly agreed: PublicClient
  /** Of the last block that two have. */
  readonly height: () => Promise<bigint>
  readonly asset: Address
  /** Of its signing domain. */
  readonly separator: Hex
  readonly signatures: OwnSignatures
  /** Units that a transfer may take. */
  readonly gasMax: bigint
}

/** First topics of ERC-20's and EIP-3009's events. */
export const TRANSFER_TOPIC = keccak256(toHex('Transfer(address,address,uint256)'))
export const AUTHORIZATION_USED_TOPIC = keccak256(toHex('AuthorizationUsed(address,bytes32)'))
/** ERC-1271: what a contract answers for a signature that is its own. */
const ERC1271_MAGIC = '0x1626ba7e'

/** @param split The payer's own ECDSA signature; without it the bytes go to the payer's contract as they came. */
export function transferCall(detail: ExactDetail, split: SplitSignature | undefined): Hex {
  const { from, to, value, validAfter, validBefore, nonce, signature } = detail
  const signed = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const
  const functionName = 'transferWithAuthorization'
  if (split === undefined)
    return encodeFunctionData({ abi: transferByBytes, functionName, args: [...signed, signature] })
  const args = [...signed, split.v, split.r, split.s] as const
  return encodeFunctionData({ abi: transferBySplit, functionName, args })
}

export function balanceCall(account: Address): Hex {
  return encodeFunctionData({ abi: reads, functionName: 'balanceOf', args: [account] })
}

export function usedCall(payer: Address, nonce: Hex): Hex {
  return encodeFunctionData({ abi: reads, functionName: 'authorizationState', args: [payer, nonce] })
}

export function domainSeparatorCall(): Hex {
  return encodeFunctionData({ abi: reads, functionName: 'DOMAIN_SEPARATOR' })
}

export function ownSignatureCall(digest: Hex, signature: Hex): Hex {
  return encodeFunctionData({ abi: reads, functionName: 'isValidSignature', args: [digest, signature] })
}

/** One word as a number; nothing, or less than a word, is undefined: there was no contract, or not this one. */
export function readWord(data: Hex | undefined): bigint | undefined {
  if (data === undefined || data.length !== 66) return undefined
  return decodeAbiParameters([{ type: 'uint256' }], data)[0]
}

export function isOwnSignature(data: Hex | undefined): boolean {
  return data?.slice(0, 10) === ERC1271_MAGIC
}

export interface Log {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/**
 * Whether the logs of a transaction, in their order, say that this authorization was used and moved exactly what was signed.
 * A token tells of the use and then, as the next thing it tells, of its transfer (EIP-3009). Only the two together are one
 * payment: a transaction may hold uses that move nothing, and one transfer that fits them all.
 */
export function hasPaid(logs: readonly Log[], detail: ExactDetail): boolean {
  const own = logs.filter(({ address }) => address.toLowerCase() === detail.asset)
  return own.some((log, place) => isUse(log, detail) && isTransfer(own[place + 1], detail))
}

function isUse({ topics }: Log, { from, nonce }: ExactDetail): boolean {
  return (
    topics[0] === AUTHORIZATION_USED_TOPIC &&
    topics[1]?.toLowerCase() === topicOf(from) &&
    topics[2]?.toLowerCase() === nonce
  )
}

function isTransfer(log: Log | undefined, { from, to, value }: ExactDetail): boolean {
  return (
    log?.topics.length === 3 &&
    log.topics[0] === TRANSFER_TOPIC &&
    log.topics[1]?.toLowerCase() === topicOf(from) &&
    log.topics[2]?.toLowerCase() === topicOf(to) &&
    readWord(log.data) === BigInt(value)
  )
}

export function topicOf(address: Address): Hex {
  return padHex(address, { size: 32 })
}
