/**
 * Signatures of payers' own keys. Whose one is never changes, and a payment is asked about at each of its steps, so the last
 * answers are kept.
 */
import type { Hex } from 'viem'
import { recoverSigner } from '../../../../gateway/plugin-api.ts'
import type { ExactDetail } from './authorization.ts'
import { splitSignature, type SplitSignature } from './signature.ts'
import { transferDigest } from './typed-data.ts'

/** Payments under way at once, and some more; a signature that is no key's has 8 KB at most. */
const KEPT_MAX = 256

export class OwnSignatures {
  private readonly separator: Hex
  private readonly kept = new Map<string, Promise<SplitSignature | undefined>>()

  /** @param separator Of the token's domain: others sign something else. */
  constructor(separator: Hex) {
    this.separator = separator
  }

  /** @returns undefined where the payer's own key did not sign: only a contract could accept it then. */
  splitOf(detail: ExactDetail): Promise<SplitSignature | undefined> {
    const { from, to, value, validAfter, validBefore, nonce, signature } = detail
    const name = [from, to, value, validAfter, validBefore, nonce, signature].join(' ')
    const known = this.kept.get(name)
    if (known !== undefined) return known
    const found = this.find(detail)
    this.kept.set(name, found)
    // A Map keeps the order of insertion.
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT_MAX) break
      this.kept.delete(oldest)
    }
    return found
  }

  private async find(detail: ExactDetail): Promise<SplitSignature | undefined> {
    const split = splitSignature(detail.signature)
    if (split === undefined) return undefined
    const { r, s, v } = split
    const signer = await recoverSigner(transferDigest(this.separator, detail), { r, s, yParity: v === 27 ? 0 : 1 })
    return signer?.toLowerCase() === detail.from ? split : undefined
  }
}
