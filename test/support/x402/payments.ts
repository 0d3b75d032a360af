/** Payments as buyers make them and sellers hand them in, of both versions. */
import type { Address, Hex, LocalAccount } from 'viem'
import { newNonce, type PaymentChain } from './payment-chain.ts'

export interface SignedAuthorization {
  from: Address
  to: Address
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

export interface Payment {
  signature: Hex
  authorization: SignedAuthorization
}

export type Json = { [name: string]: Json } | Json[] | string | number | boolean | null | undefined

export const SELLER: Address = '0x00000000000000000000000000000000005e11e7'
export const PRICE = 1_000_000n

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** @param payer Signs; `changes.from` may be another account, for wallets that are contracts. */
export async function pay(
  chain: Pick<PaymentChain, 'domain'>,
  payer: Pick<LocalAccount, 'address' | 'signTypedData'>,
  changes: Partial<SignedAuthorization> = {},
): Promise<Payment> {
  const now = Math.floor(Date.now() / 1000)
  const authorization: SignedAuthorization = {
    from: payer.address,
    to: SELLER,
    value: String(PRICE),
    validAfter: String(now - 60),
    validBefore: String(now + 600),
    nonce: newNonce(),
    ...changes,
  }
  const { value, validAfter, validBefore, ...rest } = authorization
  const message = {
    ...rest,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
  }
  const primaryType = 'TransferWithAuthorization'
  const signature = await payer.signTypedData({ domain: chain.domain, types: TYPES, primaryType, message })
  return { signature, authorization }
}

/** What a seller of version 1 asks for, as its SDK writes it. */
export function requirements1(chain: Pick<PaymentChain, 'token' | 'domain'>, changes: Record<string, Json> = {}) {
  const { name, version } = chain.domain
  return {
    scheme: 'exact',
    network: 'base-sepolia',
    maxAmountRequired: String(PRICE),
    resource: 'http://seller.example/paid',
    description: 'a page',
    mimeType: 'application/json',
    payTo: SELLER as string,
    maxTimeoutSeconds: 60,
    asset: chain.token as string,
    extra: { name, version },
    ...changes,
  }
}

export function body1(
  chain: Pick<PaymentChain, 'token' | 'domain'>,
  payment: Payment,
  changes: Record<string, Json> = {},
) {
  const paymentRequirements = requirements1(chain, changes)
  const { scheme, network } = paymentRequirements
  const { signature, authorization } = payment
  return {
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme, network, payload: { signature, authorization: { ...authorization } } },
    paymentRequirements,
  }
}

export function body2(
  chain: Pick<PaymentChain, 'token' | 'domain'>,
  payment: Payment,
  changes: Record<string, Json> = {},
) {
  const { name, version } = chain.domain
  const paymentRequirements = {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: payment.authorization.value,
    payTo: SELLER as string,
    maxTimeoutSeconds: 300,
    asset: chain.token as string,
    extra: { name, version },
    ...changes,
  }
  const { signature, authorization } = payment
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'http://seller.example/paid' },
      accepted: structuredClone(paymentRequirements),
      payload: { signature, authorization: { ...authorization } },
    },
    paymentRequirements,
  }
}

/** Hands it in as anybody may who has seen it. */
export async function handIn(chain: PaymentChain, { authorization: a, signature }: Payment): Promise<void> {
  const r = signature.slice(0, 66)
  const s = `0x${signature.slice(66, 130)}`
  const v = Number.parseInt(signature.slice(130), 16)
  const window = [BigInt(a.validAfter), BigInt(a.validBefore)]
  await chain.own('transferWithAuthorization', [a.from, a.to, BigInt(a.value), ...window, a.nonce, v, r, s])
}
