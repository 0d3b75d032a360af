/**
 * The border of the gate: a refusal leaves as the record of the WIT, an engine's fault is translated, and any other
 * exception traps, which ends the host.
 */
import { RefusalError, type RefusalCode } from '../protocol/refusals.ts'
import { receiptOf } from './receipt.ts'

type Fault = 'bad-seal' | 'bad-input'
type Refusing = readonly [code: RefusalCode, message: string, field?: string]

/** Wraps an export. */
export function guarded<A extends unknown[], T>(work: (...parameters: A) => T): (...parameters: A) => T {
  return (...parameters) => {
    try {
      return work(...parameters)
    } catch (error) {
      // The component model wants the plain record, not an Error.
      if (error instanceof RefusalError) throw { policyEvaluations: [], ...error.refusal, receipt: receiptOf(error) }
      throw error
    }
  }
}

/** Runs engine calls and refuses for each fault named; any other is a bug. */
export function refusingFaults<T>(refusals: Partial<Record<Fault, Refusing>>, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const refusing = refusals[faultOf(error) as Fault]
    if (refusing !== undefined) throw new RefusalError(...refusing)
    throw error
  }
}

/** A sealed key that does not open is not the one that was sealed for this organization, id and curve. */
export function refusingSeal<T>(work: () => T): T {
  const message = 'the sealed key does not open for this organization, id and curve'
  return refusingFaults({ 'bad-seal': ['SEALED_KEY_REFUSED', message] }, work)
}

/** The same for a wallet. */
export function refusingWalletSeal<T>(work: () => T): T {
  const message = 'the sealed wallet does not open for this organization and id'
  return refusingFaults({ 'bad-seal': ['SEALED_KEY_REFUSED', message] }, work)
}

/** The name of an engine fault, or undefined for anything else. */
function faultOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error
  const payload = (error as { payload?: unknown } | undefined)?.payload
  return typeof payload === 'string' ? payload : undefined
}
