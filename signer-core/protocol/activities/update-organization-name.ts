import { NAME_LENGTH_MAX } from '../limits.ts'
import { object, text, type TypeOf } from '../schema.ts'

export const updateOrganizationNameSchema = object({ organizationName: text(NAME_LENGTH_MAX) })
export type UpdateOrganizationName = TypeOf<typeof updateOrganizationNameSchema>
