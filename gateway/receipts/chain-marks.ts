/** How far this gateway has stored each chain of receipts, in memory: what is forgotten here is sent again. */
import { randomUUID } from 'node:crypto'
import { CHAIN_MARKS_MAX } from '../../signer-core/protocol/limits.ts'
import type { ReceiptsStored } from '../../signer-core/protocol/messages.ts'

const ORGANIZATIONS_MAX = 10_000

export interface Chain {
  /** Everything up to here is durable. */
  storedUpTo: number
  /** Settles when the storing asked for last has ended, well or not. */
  idle: Promise<void>
}

export class ChainMarks {
  /** Latest used last, on both levels. */
  private readonly organizations = new Map<string, Map<string, Chain>>()
  private session = randomUUID()

  /** What a call tells the host. */
  stored(organizationId: string): ReceiptsStored {
    const chains = [...(this.organizations.get(organizationId) ?? [])]
    const marks = chains.map(([chainId, { storedUpTo: sequence }]) => ({ chainId, sequence }))
    return { session: this.session, marks: marks.filter(({ sequence }) => sequence > 0) }
  }

  /** Something that was sent to this session is missing: from now on hosts send what is not stored once more. */
  endSession(session: string): void {
    if (session === this.session) this.session = randomUUID()
  }

  chain(organizationId: string, chainId: string): Chain {
    const chains = this.organizations.get(organizationId) ?? new Map<string, Chain>()
    const chain = chains.get(chainId) ?? { storedUpTo: 0, idle: Promise.resolve() }
    putLast(this.organizations, organizationId, chains, ORGANIZATIONS_MAX)
    putLast(chains, chainId, chain, CHAIN_MARKS_MAX)
    return chain
  }
}

/** Drops the first when there are too many. */
function putLast<V>(map: Map<string, V>, key: string, value: V, countMax: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > countMax) map.delete(map.keys().next().value as string)
}
