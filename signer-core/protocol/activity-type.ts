import type { VoteSelection } from './activities/vote.ts'
import type { ImportFlow } from './changes.ts'
import type { KeyFacts } from './private-key.ts'
import type { Schema } from './schema.ts'

export interface ActivityType {
  /** Last segment of `/public/v1/submit/<path>`; also the name of the operation's file in every layer, in snake_case. */
  path: string
  /** Names of the intent member: the one that real clients know first, then the specification's. */
  intents: readonly [string, ...string[]]
  parameters: Schema<unknown>
  /** Keys that the parameters name, by key id or address. */
  keysNamed: (parameters: never) => string[]
  /** Which kind of key they name, when not any. */
  keyKind?: KeyFacts['kind']
  walletsNamed?: (parameters: never) => string[]
  /** Paths that the activity takes in the wallet that it names; each serves for one account. */
  pathsTaken?: (parameters: never) => string[]
  /** Whether it matters what has been exported before. */
  asksExported?: true
  /** What a vote says. */
  vote?: VoteSelection
  /** Which import target of its user the activity makes or opens. */
  importFlow?: ImportFlow
}
