import { uuid } from '../organization-record.ts'
import { object, type TypeOf } from '../schema.ts'

export const deletePolicySchema = object({ policyId: uuid })
export type DeletePolicy = TypeOf<typeof deletePolicySchema>
