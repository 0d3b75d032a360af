import { object, type TypeOf } from '../schema.ts'
import { deleteWithoutExport } from './deletions.ts'

/** It is the organization that the body names. */
export const deleteSubOrganizationSchema = object({ deleteWithoutExport })
export type DeleteSubOrganization = TypeOf<typeof deleteSubOrganizationSchema>
