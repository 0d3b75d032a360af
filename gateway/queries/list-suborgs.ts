import { object, oneOf, optional, text } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'
import { subOrganizationFilters } from '../organizations/sub-organizations.ts'
import { pageWanted, paginationSchema } from './pagination.ts'
import { defineQuery } from './query.ts'

/** What no organization here has. */
const nowhere = ['CREDENTIAL_ID', 'OIDC_TOKEN'] as const
const offered = subOrganizationFilters.filter((each) => each !== 'ALL')

/** Sub-organizations of the caller's own organization, in the order of their ids. */
export const listSuborgs = defineQuery({
  parameters: object({
    filterType: optional(oneOf([...offered, ...nowhere], 'filter type')),
    filterValue: optional(text(1024, { emptyAllowed: true })),
    paginationOptions: paginationSchema,
  }),
  async run({ filterType, filterValue = '', paginationOptions }, { organization }, { subOrganizations }) {
    if (filterType !== undefined && filterValue === '') {
      throw ApiError.ofViolations([{ field: 'filterValue', description: 'filterValue required' }])
    }
    if (filterType === 'CREDENTIAL_ID' || filterType === 'OIDC_TOKEN') return { organizationIds: [] }
    const wanted = filterType === undefined ? everything : { filter: filterType, value: filterValue }
    const { organizationId: parentOrganizationId } = organization
    const page = pageWanted(paginationOptions)
    return { organizationIds: await subOrganizations.find({ parentOrganizationId, ...wanted, ...page }) }
  },
})

const everything = { filter: 'ALL', value: '' } as const
