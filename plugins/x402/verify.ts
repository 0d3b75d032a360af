/** `/verify`: whether a payment could be settled now. Reads only. */
import type { Judge } from './judge.ts'
import type { PaymentRequest } from './payment.ts'
import { isRefusal, refuse } from './reasons.ts'
import { isInFlight, isPaid } from './settlements/settlement.ts'
import type { VerifyOutcome } from './wire/answers.ts'

/** @param payer As the payload names it. */
export async function verify(judge: Judge, request: PaymentRequest, payer: string): Promise<VerifyOutcome> {
  const signed = await judge.signed(request)
  if (isRefusal(signed)) return { payer, refusal: signed }
  const { earlier, scheme } = signed
  if (isInFlight(earlier)) return { payer, refusal: refuse('x402_settlement_in_flight') }
  if (isPaid(earlier)) return { payer, refusal: scheme.usedRefusal }
  const refusal = await judge.payable(signed)
  return refusal === undefined ? { payer } : { payer, refusal }
}
