/** The two questions that a seller has for a facilitator. What does not answer well is a no. */
import { z } from 'zod'

const verifiedSchema = z.object({ isValid: z.boolean(), invalidReason: z.string().optional() })
const settledSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string(),
  replayed: z.boolean().optional(),
})
export type Verified = z.infer<typeof verifiedSchema>
export type Settled = z.infer<typeof settledSchema>

/** Longer than the facilitator waits for a block. */
const TIMEOUT_MS = 30_000
const UNREACHABLE = 'facilitator_unreachable'

export class FacilitatorClient {
  private readonly url: string
  constructor(url: string) {
    this.url = url
  }

  async verify(paymentPayload: object, paymentRequirements: object): Promise<Verified> {
    const answer = verifiedSchema.safeParse(await this.ask('verify', { paymentPayload, paymentRequirements }))
    return answer.data ?? { isValid: false, invalidReason: UNREACHABLE }
  }

  /** A no may still be a payment under way: the buyer asks again with the same header and finds out. */
  async settle(paymentPayload: object, paymentRequirements: object): Promise<Settled> {
    const answer = settledSchema.safeParse(await this.ask('settle', { paymentPayload, paymentRequirements }))
    return answer.data ?? { success: false, errorReason: UNREACHABLE, transaction: '' }
  }

  private async ask(route: string, body: object): Promise<unknown> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const headers = { 'Content-Type': 'application/json' }
      const text = JSON.stringify({ x402Version: 1, ...body })
      return await (await fetch(`${this.url}/${route}`, { method: 'POST', headers, body: text, signal })).json()
    } catch {
      return undefined
    }
  }
}
