import { billingUsage as roll } from '../usage/billing.ts'
import { pageOf, usageHead } from '../usage/asked.ts'
import { billingUsageSchema } from '../wire/requests.ts'
import { read, type Operation } from './operation.ts'

export const billingUsage: Operation = async (parts, request) => {
  const { groupBy, ...asked } = read(billingUsageSchema, request)
  const { tank, page } = pageOf(request, asked, parts.settings.network)
  return { ...usageHead(request, asked), ...(await roll(parts, tank, { ...page, groupBy })) }
}
