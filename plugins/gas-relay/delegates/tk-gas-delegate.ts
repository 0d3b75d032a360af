/**
 * TKGasDelegate of github.com/tkhq/gas-station, which users of the wire-compatible signing API may have installed: its
 * `executeBatch(Call[],bytes)` with signature, nonce and deadline packed. It has no event, so its nonce tells what ran.
 */
import {
  concat,
  decodeAbiParameters,
  encodeFunctionData,
  hashTypedData,
  numberToHex,
  parseAbi,
  type Address,
} from 'viem'
import { batchTypes } from './batch-delegate.ts'
import type { Batch, DelegateAdapter, Read, SignedBatch } from './delegate.ts'

const abi = parseAbi([
  'function executeBatch(Call[] calls, bytes data)',
  'function nonce() view returns (uint128)',
  'struct Call { address to; uint256 value; bytes data; }',
])

/** `BatchExecution(uint128 nonce,uint32 deadline,Call[] calls)` */
export const tkBatchTypes = {
  BatchExecution: [
    { name: 'nonce', type: 'uint128' },
    { name: 'deadline', type: 'uint32' },
    { name: 'calls', type: 'Call[]' },
  ],
  Call: batchTypes.Call,
} as const

export function tkDomain(account: Address, chainId: number) {
  return { name: 'TKGasDelegate', version: '1', chainId, verifyingContract: account } as const
}

export const tkGasDelegate: DelegateAdapter = {
  name: 'tk-gas-delegate',
  // MAX_BATCH_SIZE of the contract.
  callsMax: 20,
  nonceMax: 2n ** 128n - 1n,
  deadlineMax: 2n ** 32n - 1n,

  digest({ calls, nonce, deadline }: Batch, account, chainId) {
    return hashTypedData({
      domain: tkDomain(account, chainId),
      types: tkBatchTypes,
      primaryType: 'BatchExecution',
      message: { nonce, deadline: Number(deadline), calls },
    })
  },

  calldata({ calls, nonce, deadline, signature }: SignedBatch) {
    const packed = concat([signature, numberToHex(nonce, { size: 16 }), numberToHex(deadline, { size: 4 })])
    return encodeFunctionData({ abi, functionName: 'executeBatch', args: [calls, packed] })
  },

  nextNonce: (read) => currentNonce(read),

  proof: 'nonce',

  hasRun({ nonce }, _account, _logs, next) {
    return next !== undefined && next > nonce
  },
}

async function currentNonce(read: Read): Promise<bigint | undefined> {
  const answer = await read(encodeFunctionData({ abi, functionName: 'nonce' }))
  return answer.length === 66 ? decodeAbiParameters([{ type: 'uint128' }], answer)[0] : undefined
}
