import { pageOf, usageHead } from '../usage/asked.ts'
import { tokenUsage as roll } from '../usage/tokens.ts'
import { tokenUsageSchema } from '../wire/requests.ts'
import { read, type Operation } from './operation.ts'

export const tokenUsage: Operation = async (parts, request) => {
  const asked = read(tokenUsageSchema, request)
  const { tank, page } = pageOf(request, asked, parts.settings.network)
  return { ...usageHead(request, asked), ...(await roll(parts, tank, page)) }
}
