/** What the sending engine tells Prometheus: one set for a chain, labelled by sender. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Address } from 'viem'
import type { AttemptKind } from './documents.ts'

/** Blocks that sends wait: the first step is "in the next one". */
const BLOCKS = [1, 2, 3, 5, 8, 13, 21, 34]
const LANE = ['sender', 'relayer'] as const

/** Of one lane, as of its last look. */
export interface LaneState {
  readonly relayer: Address
  /** Sends that wait for the chain. */
  readonly inFlight: number
  /** Nonces that were given back while others above them wait. */
  readonly gaps: number
  /** Wei. */
  readonly balance: bigint
}

export interface SenderMetrics {
  lane(state: LaneState): void
  /** @param blocks From the first send of its bytes to its block. */
  included(blocks: number): void
  attempt(kind: AttemptKind): void
}

export class SendMetrics {
  private readonly inFlight: Gauge<(typeof LANE)[number]>
  private readonly gaps: Gauge<(typeof LANE)[number]>
  private readonly balance: Gauge<(typeof LANE)[number]>
  private readonly blocks: Histogram<'sender'>
  private readonly attempts: Counter<'sender' | 'kind'>

  constructor(registry: Registry) {
    const common = { labelNames: LANE, registers: [registry] }
    this.inFlight = new Gauge({ name: 'keystead_chain_in_flight', help: 'Sends that wait for the chain.', ...common })
    this.gaps = new Gauge({ name: 'keystead_chain_nonce_gaps', help: 'Nonces that keep others waiting.', ...common })
    this.balance = new Gauge({ name: 'keystead_chain_relayer_balance_wei', help: 'What a relayer has.', ...common })
    this.blocks = new Histogram({
      name: 'keystead_chain_inclusion_blocks',
      help: 'Blocks from the first send to inclusion.',
      labelNames: ['sender'],
      buckets: BLOCKS,
      registers: [registry],
    })
    this.attempts = new Counter({
      name: 'keystead_chain_attempts_total',
      help: 'Sets of bytes for a nonce: original, bump, cancel.',
      labelNames: ['sender', 'kind'],
      registers: [registry],
    })
  }

  of(sender: string): SenderMetrics {
    return {
      lane: ({ relayer, inFlight, gaps, balance }) => {
        this.inFlight.set({ sender, relayer }, inFlight)
        this.gaps.set({ sender, relayer }, gaps)
        // Exact to 53 bits, which is enough to be woken by.
        this.balance.set({ sender, relayer }, Number(balance))
      },
      included: (blocks) => this.blocks.observe({ sender }, blocks),
      attempt: (kind) => this.attempts.inc({ sender, kind }),
    }
  }
}
