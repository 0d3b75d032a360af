import { object, type TypeOf } from '../schema.ts'
import { uuid } from '../organization-record.ts'

/** The caller's own user: each has one import target at a time. */
export const initImportPrivateKeySchema = object({ userId: uuid })
export type InitImportPrivateKey = TypeOf<typeof initImportPrivateKeySchema>
