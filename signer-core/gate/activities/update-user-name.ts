import type { UpdateUserName } from '../../protocol/activities/update-user-name.ts'
import type { Operation } from '../operation.ts'
import { planUserChange } from './update-user.ts'

export const updateUserName: Operation<UpdateUserName> = {
  plan: ({ userId, userName }, context) =>
    planUserChange('UPDATE_USER_NAME', 'updateUserNameResult', userId, { userName }, context),
}
