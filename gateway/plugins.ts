/** The plug-ins, one line each. Nothing is discovered: what is not named here does not run. */
import type { Plugin } from './plugin-api.ts'

export const plugins: readonly Plugin[] = []
