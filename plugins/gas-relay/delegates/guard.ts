/** `plugins/contracts/DelegationGuard.sol`: calls an account only if it has the delegate that was expected. */
import { encodeFunctionData, parseAbi, type Address, type Hex } from 'viem'

const abi = parseAbi(['function execute(address account, address delegate, bytes data)'])

/** @param data For the account. */
export function guarded(account: Address, delegate: Address, data: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'execute', args: [account, delegate, data] })
}
