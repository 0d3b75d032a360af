import type { UpdateUserPhoneNumber } from '../../protocol/activities/update-user-phone-number.ts'
import { orAbsent } from '../new-users.ts'
import type { Operation } from '../operation.ts'
import { planUserChange } from './update-user.ts'

export const updateUserPhoneNumber: Operation<UpdateUserPhoneNumber> = {
  plan({ userId, userPhoneNumber }, context) {
    const changes = { userPhoneNumber: orAbsent(userPhoneNumber) }
    return planUserChange('UPDATE_USER_PHONE_NUMBER', 'updateUserPhoneNumberResult', userId, changes, context)
  },
}
