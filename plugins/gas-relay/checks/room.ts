/** Whether the tank has room for one more. Pure; setting it aside decides, this spares what comes before. */
import { RelayError } from '../reasons.ts'
import { balanceOf, countOf, type TankDocument } from '../tank/tank.ts'

/** @param amount Wei. @param countMax Of transactions under way, this one included. @throws {RelayError} */
export function checkRoom(tank: TankDocument, amount: bigint, countMax: number): void {
  if (countOf(tank) >= countMax) throw new RelayError('relay_too_many_in_flight')
  if (balanceOf(tank) < amount) throw new RelayError('relay_insufficient_balance')
}
