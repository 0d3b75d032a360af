/** What the parts of one sender's engine share. */
import type { Logger } from 'pino'
import type { ChainReader } from '../rpc/chain-reader.ts'
import type { SenderOptions } from '../sender.ts'
import type { Collection } from '../../store/store.ts'
import type { SendDocument } from './documents.ts'
import type { Lanes } from './lanes.ts'
import type { SenderMetrics } from './send-metrics.ts'
import type { RelayerKeys } from './signing.ts'

/** By blocks on top, or by a tag of the node's. */
export type Finality = 'depth' | 'safe' | 'finalized'

export interface EngineSettings {
  readonly chainId: number
  /** Names the chain in ids: the same chain id may be another chain, on development machines. */
  readonly chainKey: () => Promise<string>
  readonly finality: Finality
  /** Blocks on top before something counts as final, and as many again until it is not watched any more. */
  readonly finalityDepth: number
  /** Sends of one relayer that may wait to be mined. geth keeps 16 of an account for certain. */
  readonly inFlightMax: number
  readonly pollMs: number
}

export interface EngineParts {
  readonly settings: EngineSettings
  readonly options: SenderOptions
  readonly reader: ChainReader
  readonly keys: RelayerKeys
  readonly lanes: Lanes
  readonly sends: Collection<SendDocument>
  readonly logger: Logger
  readonly metrics: SenderMetrics
  readonly nowMs: () => number
}
