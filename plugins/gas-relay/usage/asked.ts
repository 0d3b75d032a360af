/** What both kinds of usage are asked with, and say first. */
import type { z } from 'zod'
import type { StampedRequest } from '../../../gateway/plugin-api.ts'
import { tankId } from '../tank/tank.ts'
import type { tokenUsageSchema } from '../wire/requests.ts'
import type { Window } from './debits.ts'

type Asked = z.infer<typeof tokenUsageSchema>
type Page = Window & { limit: number; cursor: string | undefined }

/** @param network The deployment's own, CAIP-2. */
export function pageOf(
  { organizationId }: StampedRequest,
  { caip2, fromMs = 0, toMs = Infinity, limit, cursor }: Asked,
  network: string,
): { tank: string; page: Page } {
  return { tank: tankId(organizationId, caip2 ?? network), page: { fromMs, toMs, limit, cursor } }
}

export function usageHead({ organizationId }: StampedRequest, { fromMs, toMs }: Asked): object {
  const window = {
    from_ms: fromMs === undefined ? null : String(fromMs),
    to_ms: toMs === undefined ? null : String(toMs),
  }
  return { organization_id: organizationId, window }
}
