/** Whether a submission fits the state of the chain now, and what it needs there. Reads only. */
import { decodeErrorResult, parseAbi, type Address, type Hex } from 'viem'
import { delegateOf, designatorOf } from '../delegates/designator.ts'
import { guarded } from '../delegates/guard.ts'
import { RelayError, type ReasonFacts } from '../reasons.ts'
import type { Submission } from '../wire/submission.ts'
import type { AllowedDelegate } from './allowlist.ts'
import type { ChainReads } from './chain-reads.ts'

const delegateErrors = parseAbi(['error CallFailed(uint256 index, bytes reason)'])
/** Hex digits of revert data that are passed on. */
const REVERT_DIGITS_MAX = 2 + 2 * 4_096
/** In hundredths of the estimate: state may change until the block. */
const GAS_MARGIN = 125n

/**
 * The delegate that the batch will meet: of the authorization, or the one that the account has.
 * @throws {RelayError} `relay_delegate_not_allowed`, `relay_not_delegated`, `relay_chain_unavailable`
 */
export async function findDelegate(
  reads: ChainReads,
  { from, authorization }: Pick<Submission, 'from' | 'authorization'>,
  allowed: readonly AllowedDelegate[],
): Promise<AllowedDelegate> {
  const address = authorization?.address ?? delegateOf(await reads.code(from))
  if (address === undefined) throw new RelayError('relay_not_delegated')
  const delegate = allowed.find((each) => each.address === address)
  if (delegate === undefined) throw new RelayError('relay_delegate_not_allowed')
  return delegate
}

/**
 * The delegate's code, the account's code and nonce, the batch's nonce.
 * @returns whether the authorization is still to be sent: one that somebody has handed in already has done its work.
 */
export async function checkState(
  reads: ChainReads,
  {
    from,
    authorization,
    batch,
  }: Pick<Submission, 'from' | 'authorization'> & { batch: Pick<Submission['batch'], 'nonce'> },
  { address, codeHash, adapter }: AllowedDelegate,
): Promise<{ sendsAuthorization: boolean }> {
  const [delegateHash, code, nonce] = await Promise.all([reads.codeHash(address), reads.code(from), reads.nonce(from)])
  if (delegateHash !== codeHash) throw new RelayError('relay_delegate_not_allowed')
  const isDelegated = code === designatorOf(address)
  const isPlain = code === '0x' || delegateOf(code) !== undefined
  const sendsAuthorization = authorization !== undefined && authorization.nonce === nonce && isPlain
  if (!sendsAuthorization && !isDelegated) {
    throw new RelayError(authorization === undefined ? 'relay_not_delegated' : 'relay_authorization_nonce_mismatch')
  }
  // Before it has delegated, the account's storage cannot be asked through the delegate; the simulation does.
  if (isDelegated) {
    const next = await adapter.nextNonce((data) => reads.view(from, data), batch.nonce)
    if (next !== batch.nonce) throw new RelayError('relay_batch_nonce_mismatch')
  }
  return { sendsAuthorization }
}

export interface Sponsored {
  readonly to: Address
  readonly data: Hex
  readonly gasLimit: bigint
}

/**
 * Runs exactly the transaction that will be sent, and sets its gas limit.
 * @throws {RelayError} `relay_simulation_reverted`, `relay_gas_limit_exceeded`, `relay_chain_unavailable`
 */
export async function simulate(
  reads: ChainReads,
  { from, authorization, batch, gasLimit }: Submission,
  { address, adapter }: AllowedDelegate,
  parts: { guard: Address; relayer: Address; sendsAuthorization: boolean; gasLimitMax: bigint },
): Promise<Sponsored> {
  const to = parts.guard
  const data = guarded(from, address, adapter.calldata(batch))
  const sent = parts.sendsAuthorization ? authorization : undefined
  const gas = await reads.estimateGas({ from: parts.relayer, to, data, authorization: sent })
  if (typeof gas !== 'bigint') throw new RelayError('relay_simulation_reverted', factsOf(gas.data))
  const most = gasLimit === undefined || gasLimit > parts.gasLimitMax ? parts.gasLimitMax : gasLimit
  if (gas > most) throw new RelayError('relay_gas_limit_exceeded')
  const wanted = (gas * GAS_MARGIN) / 100n
  return { to, data, gasLimit: wanted < most ? wanted : most }
}

function factsOf(revertData: Hex): ReasonFacts {
  try {
    const { args } = decodeErrorResult({ abi: delegateErrors, data: revertData })
    const [index, reason] = args
    return { callIndex: Number(index), revertData: reason.slice(0, REVERT_DIGITS_MAX) }
  } catch {
    return { revertData: revertData.slice(0, REVERT_DIGITS_MAX) }
  }
}
