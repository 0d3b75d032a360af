/**
 * Whether the token would accept the transfer now. The simulation decides; only when it says no is the reason looked for,
 * and a node that does not answer is never taken for a payer's mistake.
 */
import { numberToHex, type Address, type Hex } from 'viem'
import type { Authorization } from '../../payment.ts'
import { refuse, type Refusal } from '../../reasons.ts'
import { detailOf, type ExactDetail } from './authorization.ts'
import { refuseExact } from './reasons.ts'
import { available, call, ChainUnavailable, estimateGas, type Call } from './rpc.ts'
import {
  balanceCall,
  isOwnSignature,
  ownSignatureCall,
  readWord,
  transferCall,
  usedCall,
  type TokenOnChain,
} from './token.ts'
import { transferDigest } from './typed-data.ts'

/** Two blocks and the way to a node: what is signed must still be valid when it is mined. */
const REMAINING_SECONDS_MIN = 6n

/** By our clock alone. The token wants validAfter < block time < validBefore. */
export function checkWindow({ validAfter, validBefore }: ExactDetail, nowMs: number): Refusal | undefined {
  const now = BigInt(Math.floor(nowMs / 1000))
  const inside = BigInt(validAfter) < now && BigInt(validBefore) >= now + REMAINING_SECONDS_MIN
  return inside ? undefined : refuseExact('invalid_exact_evm_authorization_expired')
}

/** The call that settles it. Its form depends on whether the signature is the payer's own key's. */
export async function settlementCall(token: TokenOnChain, detail: ExactDetail): Promise<Hex> {
  return transferCall(detail, await token.signatures.splitOf(detail))
}

/** The token's no, for a reason of its own or one that nobody could find out. */
const REFUSED: Refusal = { ...refuse('x402_gas_estimate_unavailable'), message: 'the token refuses the transfer' }

/** @param from Who would send it. @returns the first reason against it. */
export async function checkState(
  token: TokenOnChain,
  authorization: Authorization,
  from: Address | undefined,
): Promise<Refusal | undefined> {
  const detail = detailOf(authorization)
  return guarded(async () => {
    if (await passes(token, detail, from)) return undefined
    return diagnose(token, detail).catch((error: unknown) => {
      // The no stands, whoever keeps us from finding its reason.
      if (error instanceof ChainUnavailable) return REFUSED
      throw error
    })
  })
}

/** The same for who must know the reason, too. @throws {ChainUnavailable} */
export async function findRefusal(token: TokenOnChain, authorization: Authorization): Promise<Refusal | undefined> {
  const detail = detailOf(authorization)
  return (await passes(token, detail, undefined)) ? undefined : diagnose(token, detail)
}

async function passes(token: TokenOnChain, detail: ExactDetail, from: Address | undefined): Promise<boolean> {
  const asked = { ...(await transferOf(token, detail, from)), gas: numberToHex(token.gasMax) }
  return (await call(token.client, asked)) !== undefined
}

/** @returns gas units, or the first reason against it. */
export async function estimateTransfer(
  token: TokenOnChain,
  authorization: Authorization,
  from: Address | undefined,
): Promise<bigint | Refusal> {
  const detail = detailOf(authorization)
  return guarded(async () => {
    const gas = await estimateGas(token.client, await transferOf(token, detail, from))
    return gas ?? diagnose(token, detail)
  })
}

/** Whether the payer is a contract that takes the signature for its own (ERC-1271). */
export async function checkContractSignature(token: TokenOnChain, detail: ExactDetail): Promise<Refusal | undefined> {
  return guarded(async () =>
    (await isContractsOwn(token, detail)) ? undefined : refuseExact('invalid_exact_evm_signature'),
  )
}

export async function guarded<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) return { ...refuse('x402_gas_estimate_unavailable'), isUnknown: true }
    throw error
  }
}

async function transferOf(token: TokenOnChain, detail: ExactDetail, from: Address | undefined): Promise<Call> {
  const data = await settlementCall(token, detail)
  return { to: token.asset, data, ...(from === undefined ? {} : { from }) }
}

/** Why the token says no. Paused tokens and listed accounts have no reason of their own, and none is made up. */
async function diagnose(token: TokenOnChain, detail: ExactDetail): Promise<Refusal> {
  const { client, asset } = token
  const [used, balance, code, block] = await Promise.all([
    call(client, { to: asset, data: usedCall(detail.from, detail.nonce) }),
    call(client, { to: asset, data: balanceCall(detail.from) }),
    available(() => client.getCode({ address: detail.from, blockTag: 'pending' })),
    available(() => client.getBlock({ blockTag: 'pending' })),
  ])
  // Whether it was paid by this is another question: see uses.ts.
  if (readWord(used) === 1n) return refuseExact('invalid_exact_evm_authorization_used')
  const isInside = BigInt(detail.validAfter) < block.timestamp && block.timestamp < BigInt(detail.validBefore)
  if (!isInside) return refuseExact('invalid_exact_evm_authorization_expired')
  const held = readWord(balance)
  if (held !== undefined && held < BigInt(detail.value)) return refuseExact('invalid_exact_evm_insufficient_balance')
  // The token asks an account that has code, also one that delegates by EIP-7702, and not its key.
  if (code !== undefined && !(await isContractsOwn(token, detail))) return refuseExact('invalid_exact_evm_signature')
  return REFUSED
}

async function isContractsOwn(token: TokenOnChain, detail: ExactDetail): Promise<boolean> {
  const split = await token.signatures.splitOf(detail)
  // As the token packs it: v,r,s become 65 bytes.
  const signature =
    split === undefined ? detail.signature : (`${split.r}${split.s.slice(2)}${split.v.toString(16)}` as Hex)
  const data = ownSignatureCall(transferDigest(token.separator, detail), signature)
  return isOwnSignature(await call(token.client, { to: detail.from, data }))
}
