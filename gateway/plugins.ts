/** The plug-ins, one line each. Nothing is discovered: what is not named here does not run. */
import { gasRelay } from '../plugins/gas-relay/plugin.ts'
import { x402 } from '../plugins/x402/plugin.ts'
import type { Plugin } from './plugin-api.ts'

export const plugins: readonly Plugin[] = [gasRelay, x402]
