/** The schemes that are served, one line each. */
import { exactEip155 } from './exact-eip155/exact-eip155.ts'
import type { SchemeMember } from './scheme.ts'

export const schemes: readonly SchemeMember[] = [exactEip155]
