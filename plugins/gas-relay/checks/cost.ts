/** What a transaction can cost at most, in wei: this much of the tank is set aside for it. */
import { encodeFunctionData, parseAbi, size, type Address, type Hex } from 'viem'
import { RelayError } from '../reasons.ts'
import type { ChainReads } from './chain-reads.ts'

/** Predeployed on every chain of the OP stack, on no other. */
const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)'])
/** No signed field bounds the fee of the first layer, and it follows that layer's base fee until inclusion. */
const L1_FEE_MARGIN = 2n
/** Of the transaction beside its data: fields, signature, and an authorization. */
const ENVELOPE_BYTES = 400

/** @param feeCeiling Wei per gas. @returns with the first layer's part at its bound, without the margin. @throws {RelayError} `relay_gas_estimate_unavailable`, `relay_chain_unavailable` */
export async function costMax(
  reads: ChainReads,
  { data, gasLimit }: { data: Hex; gasLimit: bigint },
  feeCeiling: bigint,
): Promise<{ most: bigint; l1Fee: bigint }> {
  const l1Fee = await l1FeeBound(reads, size(data))
  return { most: gasLimit * feeCeiling + l1Fee * L1_FEE_MARGIN, l1Fee }
}

/** Wei for a transaction with so many bytes of data; 0 where there is no first layer. */
export async function l1FeeBound(reads: ChainReads, dataBytes: number): Promise<bigint> {
  if ((await reads.code(GAS_PRICE_ORACLE)) === '0x') return 0n
  const args = [BigInt(dataBytes + ENVELOPE_BYTES)] as const
  const asked = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1FeeUpperBound', args })
  const answer = await reads.view(GAS_PRICE_ORACLE, asked)
  if (answer.length !== 66) throw new RelayError('relay_gas_estimate_unavailable')
  return BigInt(answer)
}
