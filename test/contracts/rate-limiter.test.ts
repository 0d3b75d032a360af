/** Runs the rate limiter contract over every adapter. A new adapter is one entry in `rate-limiter-adapters.ts`. */
import test from 'ava'
import { rateLimiterAdapters } from './rate-limiter-adapters.ts'
import { rateLimiterContract } from './rate-limiter.ts'

for (const adapter of rateLimiterAdapters(test)) rateLimiterContract(test, adapter)
