/** Which version of the wire a body is in, and the payment in it. */
import type { PaymentRequest } from '../payment.ts'
import { networkName } from './fields.ts'
import type { NetworkNames } from './network-names.ts'
import { readVersion1 } from './version-1.ts'
import { readVersion2 } from './version-2.ts'

/** @param body JSON, untrusted. @returns undefined for what is malformed or of no version that we serve. */
export function readRequest(body: unknown, names: NetworkNames): PaymentRequest | undefined {
  return versionOf(body) === 2 ? readVersion2(body, names) : readVersion1(body, names)
}

/** The payment decides, as one path serves both. Whatever is not version 2 is answered as version 1. */
export function versionOf(body: unknown): 1 | 2 {
  return member(member(body, 'paymentPayload'), 'x402Version') === 2 ? 2 : 1
}

/** What a refused body still says: the scheme's payload, and the network by the name it was given. */
export function remainsOf(body: unknown): { payload: unknown; networkName: string } {
  const paid = member(body, 'paymentPayload')
  const network = networkName.safeParse(member(paid, 'network') ?? member(member(paid, 'accepted'), 'network'))
  return { payload: member(paid, 'payload'), networkName: network.data ?? '' }
}

export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
