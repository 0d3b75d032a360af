/** Rate limits: per address before anything is read, per payer and for all of us once a payment has verified. */
import { RateLimiterUnavailableError, type PluginHost, type RateLimiter } from '../../gateway/plugin-api.ts'
import { refuse, type Refusal } from './reasons.ts'
import type { Settings } from './settings.ts'

const WINDOW_S = 60
const EVERYBODY = 'facilitator'

export interface Limited {
  readonly refusal: Refusal
  /** 0 when nobody can tell. */
  readonly retryAfterMs: number
}

export class Limits {
  private readonly verifyPerIp: RateLimiter
  private readonly settlePerIp: RateLimiter
  private readonly settlePerPayer: RateLimiter
  private readonly settlePerFacilitator: RateLimiter

  constructor(host: Pick<PluginHost, 'openRateLimiter'>, settings: Settings) {
    const open = (name: string, pointsMax: number) => host.openRateLimiter({ name, pointsMax, windowS: WINDOW_S })
    this.verifyPerIp = open('verify-ip', settings.verifyPerIp)
    this.settlePerIp = open('settle-ip', settings.settlePerIp)
    this.settlePerPayer = open('settle-payer', settings.settlePerPayer)
    this.settlePerFacilitator = open('settle-facilitator', settings.settlePerFacilitator)
  }

  ofRequest(route: 'verify' | 'settle', ip: string): Promise<Limited | undefined> {
    return consume(route === 'verify' ? this.verifyPerIp : this.settlePerIp, ip)
  }

  /** The payer first: what one payer has too much is not taken from the others. */
  async ofVerifiedPayment(payer: string): Promise<Limited | undefined> {
    return (await consume(this.settlePerPayer, payer)) ?? (await consume(this.settlePerFacilitator, EVERYBODY))
  }
}

async function consume(limiter: RateLimiter, key: string): Promise<Limited | undefined> {
  try {
    const { allowed, retryAfterMs } = await limiter.consume(key)
    return allowed ? undefined : { refusal: refuse('x402_rate_limited'), retryAfterMs }
  } catch (error) {
    if (!(error instanceof RateLimiterUnavailableError)) throw error
    return { refusal: refuse('x402_rate_limit_unavailable'), retryAfterMs: 0 }
  }
}
