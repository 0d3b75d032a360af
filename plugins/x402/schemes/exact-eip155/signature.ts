/**
 * ECDSA signatures as tokens accept them: 65 bytes, low s, v of 27 or 28 (OpenZeppelin ECDSA, FiatToken). Payers' tools
 * write the same signature in other forms; those are folded into that one, because only it passes on chain.
 */
import { numberToHex, size, slice, type Hex } from 'viem'

/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF = ORDER / 2n
const WORD = { size: 32 } as const
/** ERC-6492: the last 32 bytes of a signature that asks for a deployment first. */
const ERC6492_MARK = '6492'.repeat(16)

export interface SplitSignature {
  readonly r: Hex
  readonly s: Hex
  readonly v: 27 | 28
}

/** @returns undefined for what cannot be an ECDSA signature: a contract may still understand it. */
export function splitSignature(signature: Hex): SplitSignature | undefined {
  const read = readForm(signature)
  if (read === undefined) return undefined
  const { r, s, parity } = read
  if (r === 0n || r >= ORDER || s === 0n || s >= ORDER) return undefined
  // (r, n - s) with the other parity is the same signature.
  const isHigh = s > HALF
  const low = isHigh ? ORDER - s : s
  return { r: numberToHex(r, WORD), s: numberToHex(low, WORD), v: isHigh === (parity === 0) ? 28 : 27 }
}

export function isErc6492(signature: Hex): boolean {
  return signature.endsWith(ERC6492_MARK)
}

/** 65 bytes with v as 0, 1, 27 or 28, or the 64 bytes of EIP-2098 with the parity in the top bit of s. */
function readForm(signature: Hex): { r: bigint; s: bigint; parity: 0 | 1 } | undefined {
  const length = size(signature)
  if (length !== 64 && length !== 65) return undefined
  const r = BigInt(slice(signature, 0, 32))
  const second = BigInt(slice(signature, 32, 64))
  if (length === 64) return { r, s: second & (2n ** 255n - 1n), parity: second >> 255n === 0n ? 0 : 1 }
  const v = Number(slice(signature, 64, 65))
  const parity = v >= 27 ? v - 27 : v
  return parity === 0 || parity === 1 ? { r, s: second, parity } : undefined
}
