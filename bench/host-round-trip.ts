/** The way from the gateway's side of the socket through the launcher to a host and back, with nothing to decide. */
import { connectFrames } from '../test/support/launcher.ts'
import { measure, type Measured, type Plan } from './measure.ts'
import { answerJob } from './worker.ts'

export interface RoundTripJob {
  socketPath: string
  plan: Plan
  /** Length of a real call, so that as much is copied. */
  callBytes: number
}

async function roundTrip({ socketPath, plan, callBytes }: RoundTripJob): Promise<Measured> {
  const client = await connectFrames(socketPath)
  // Read as JSON and refused by the host; the component is not asked.
  const call = { nothing: 'x'.repeat(callBytes) }
  const measured = await measure(plan, async () => {
    const { kind, value } = await client.call(call)
    return kind === 'answer' && value.refusal?.code === 'BODY_INVALID'
  })
  client.close()
  return measured
}

answerJob(roundTrip)
