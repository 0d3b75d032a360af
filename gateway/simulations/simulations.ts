/** Dry runs: what the signer would decide, now or then, by the organization's policies or by others. Nothing is done. */
import type { Answer, PolicyText, SimulateCall, Simulation } from '../../signer-core/protocol/messages.ts'
import type { Named } from '../activities/named.ts'
import type { ActivityDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import type { Organizations } from '../organizations/organizations.ts'
import { SignerUnavailableError, type SignerClient } from '../signer-client/signer-client.ts'

export interface SimulationParts {
  signer: Pick<SignerClient, 'simulate'>
  named: Named
  organizations: Organizations
}

/** What would be decided upon, and by whose word. */
export type Simulated = Pick<ActivityDocument, '_id' | 'organizationId' | 'type' | 'body'> &
  Pick<SimulateCall, 'subjects' | 'atMs'>

export class Simulations {
  private readonly parts: SimulationParts

  constructor(parts: SimulationParts) {
    this.parts = parts
  }

  /**
   * @param policies In place of the organization's.
   * @returns a refusal for what could not be decided upon, such as a key that is not there.
   * @throws {ApiError} `UNAVAILABLE` when the signer does not answer.
   */
  async run({ _id, body, subjects, atMs, ...of }: Simulated, policies?: PolicyText[]): Promise<Answer<Simulation>> {
    const { signer, named, organizations } = this.parts
    const { text, seal } = await organizations.documentOf(of.organizationId)
    const call: SimulateCall = {
      dryRun: true,
      activityId: _id,
      body: Buffer.from(body).toString('base64'),
      organization: { text, seal },
      ...(await named.bring({ ...of, body })),
      subjects,
      ...(atMs !== undefined && { atMs }),
      ...(policies !== undefined && { candidatePolicies: policies }),
    }
    try {
      return await signer.simulate(call)
    } catch (error) {
      if (error instanceof SignerUnavailableError) throw new ApiError('UNAVAILABLE')
      throw error
    }
  }
}
