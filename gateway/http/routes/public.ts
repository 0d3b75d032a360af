/** `/public/v1`: submit and query routes, each behind the body and stamp middleware. */
import Router from '@koa/router'
import { activityTypes } from '../../../signer-core/protocol/activity-types.ts'
import { presentActivity } from '../../activities/present.ts'
import type { Submit } from '../../activities/submit.ts'
import type { Organizations } from '../../organizations/organizations.ts'
import { queries } from '../../queries/index.ts'
import type { QueryParts } from '../../queries/query.ts'
import { body } from '../middleware/body.ts'
import { stamp, type StampState } from '../middleware/stamp.ts'
import { respondJson } from '../respond.ts'

export interface PublicRouteParts extends QueryParts {
  submit: Submit
  organizations: Organizations
  nowMs: () => number
}

export function publicRoutes(parts: PublicRouteParts): Router<StampState> {
  const router = new Router<StampState>({ prefix: '/public/v1', sensitive: true, strict: true })
  router.use(body, stamp(parts.organizations, parts.nowMs))
  for (const path of new Set(Object.values(activityTypes).map((each) => each.path))) {
    router.post(`/submit/${path}`, async (context) => {
      const activity = await parts.submit.submit(path, context.state.body, context.state.caller)
      respondJson(context, 200, { activity: await presentActivity(activity, context.state.caller, parts.activities) })
    })
  }
  for (const [name, query] of Object.entries(queries)) {
    router.post(`/query/${name}`, async (context) => {
      const { body: asked, caller } = context.state
      respondJson(context, 200, await query(asked.json, caller, parts))
    })
  }
  return router
}
