/** What a node means by its answer to `eth_sendRawTransaction`. Sources: go-ethereum core/txpool/errors.go, anvil 1.7.1. */
import type { Answer } from '../rpc/pool.ts'
import { RpcRefusalError } from '../rpc/endpoint.ts'

export type SendAnswer =
  /** In the pool, or was already. */
  | 'taken'
  /** The nonce is used: perhaps by these very bytes. */
  | 'nonce_used'
  /** A replacement must offer more. */
  | 'underpriced'
  /** Not taken while the base fee is above the offer. */
  | 'below_base_fee'
  | 'no_money'
  /** The relayer has a delegation, or somebody sent an old authorization of it. */
  | 'delegated'
  /** These bytes can never be mined. */
  | 'invalid'
  /** No answer, or one that we do not know: they may be in the pool. */
  | 'unknown'

/** The first that fits counts. Texts are compared in lower case. */
const meanings: readonly (readonly [SendAnswer, RegExp])[] = [
  ['taken', /already (?:known|imported|exists)|known transaction/],
  ['nonce_used', /nonce too low|nonce is too low/],
  ['underpriced', /replacement transaction underpriced|replacement fee too low/],
  ['below_base_fee', /less than block base fee|max fee per gas less than|transaction underpriced|fee too low/],
  ['no_money', /insufficient funds/],
  ['delegated', /in-flight transaction limit|gapped-nonce tx from delegated|authority already reserved/],
  [
    'invalid',
    /intrinsic gas too (?:low|high)|exceeds block gas limit|gas limit too high|gas limit[^.]* exceeds maximum|floor data gas|oversized data|invalid (?:chain id|sender|signature)|max priority fee per gas higher|type[^.]* not supported/,
  ],
]

export function meaningOf(answer: Answer): SendAnswer {
  if (answer.ok) return 'taken'
  if (!(answer.error instanceof RpcRefusalError)) return 'unknown'
  const text = answer.error.message.toLowerCase()
  return meanings.find(([, pattern]) => pattern.test(text))?.[0] ?? 'unknown'
}

/** Which answer counts when several nodes were asked: the one after which the bytes are most likely to be somewhere. */
const ORDER: readonly SendAnswer[] = [
  'taken',
  'nonce_used',
  'unknown',
  'underpriced',
  'below_base_fee',
  'no_money',
  'delegated',
  'invalid',
]

export function strongest(answers: readonly SendAnswer[]): SendAnswer {
  return ORDER.find((each) => answers.includes(each)) ?? 'unknown'
}
