import type { Context } from 'koa'

/** Some clients compare the whole media type, so no charset is added. */
export function respondJson(context: Context, status: number, value: object): void {
  context.status = status
  context.set('Content-Type', 'application/json')
  context.body = JSON.stringify(value)
}
