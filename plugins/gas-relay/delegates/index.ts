/** The delegate contracts whose interface we know, one line each. */
import { batchDelegate } from './batch-delegate.ts'
import type { DelegateAdapter } from './delegate.ts'
import { tkGasDelegate } from './tk-gas-delegate.ts'

export const delegates: readonly DelegateAdapter[] = [batchDelegate, tkGasDelegate]
