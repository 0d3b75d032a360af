import type { UpdateUserEmail } from '../../protocol/activities/update-user-email.ts'
import { orAbsent } from '../new-users.ts'
import type { Operation } from '../operation.ts'
import { planUserChange } from './update-user.ts'

export const updateUserEmail: Operation<UpdateUserEmail> = {
  plan({ userId, userEmail }, context) {
    const changes = { userEmail: orAbsent(userEmail) }
    return planUserChange('UPDATE_USER_EMAIL', 'updateUserEmailResult', userId, changes, context)
  },
}
