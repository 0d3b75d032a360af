/** Our own delegate: `plugins/contracts/BatchDelegate.sol`. */
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  hashTypedData,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import type { Batch, DelegateAdapter, SignedBatch } from './delegate.ts'

const abi = parseAbi([
  'function execute(bytes32 mode, bytes executionData)',
  'function getNonce(uint192 row) view returns (uint256)',
])
const executionData = parseAbiParameters([
  'Call[] calls, bytes opData',
  'struct Call { address to; uint256 value; bytes data; }',
])
const opData = parseAbiParameters('uint256 nonce, uint256 deadline, bytes signature')

/** ERC-7821: one batch, with opData; the 22 bytes after it mean nothing. */
const MODE: Hex = `0x01000000000078210001${'00'.repeat(22)}`
const BATCH_EXECUTED = keccak256(toHex('BatchExecuted(uint256,bytes32)'))
const UINT256_MAX = 2n ** 256n - 1n
/** The lower 64 bits count within a row. */
const ROW_SHIFT = 64n

/** Types of EIP-712: clients sign with these. */
export const batchTypes = {
  Batch: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const

export function batchDomain(account: Address, chainId: number) {
  return { name: 'Keystead Batch', version: '1', chainId, verifyingContract: account } as const
}

export const batchDelegate: DelegateAdapter = {
  name: 'batch-delegate',
  callsMax: 50,
  nonceMax: UINT256_MAX,
  deadlineMax: UINT256_MAX,

  digest({ calls, nonce, deadline }: Batch, account, chainId) {
    return hashTypedData({
      domain: batchDomain(account, chainId),
      types: batchTypes,
      primaryType: 'Batch',
      message: { calls, nonce, deadline },
    })
  },

  calldata({ calls, nonce, deadline, signature }: SignedBatch) {
    const signed = encodeAbiParameters(opData, [nonce, deadline, signature])
    const args = [MODE, encodeAbiParameters(executionData, [calls, signed])] as const
    return encodeFunctionData({ abi, functionName: 'execute', args })
  },

  async nextNonce(read, nonce) {
    const data = encodeFunctionData({ abi, functionName: 'getNonce', args: [nonce >> ROW_SHIFT] })
    const answer = await read(data)
    return answer.length === 66 ? decodeAbiParameters([{ type: 'uint256' }], answer)[0] : undefined
  },

  proof: 'event',

  hasRun({ nonce, digest }, account, logs) {
    const topics = [BATCH_EXECUTED, numberToHex(nonce, { size: 32 }), digest]
    return logs.some(
      (log) =>
        log.address.toLowerCase() === account.toLowerCase() && topics.every((topic, i) => log.topics[i] === topic),
    )
  },
}
