// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Calls an account only if it has the delegate that was expected.
///
/// A node skips an EIP-7702 authorization that does not fit and runs the transaction all the same; the call then meets an
/// account without code and succeeds without doing anything. Through here it reverts, and costs less. It holds nothing,
/// forwards no money, and who calls it has no more rights at the account than without it.
contract DelegationGuard {
    error NotDelegated();

    /// @param data For the account. Whatever it returns or reverts with is returned, or reverted with, unchanged.
    function execute(address account, address delegate, bytes calldata data) external {
        // EIP-7702: to others the code of such an account is 0xef0100 and the delegate's address.
        require(account.codehash == keccak256(abi.encodePacked(hex"ef0100", delegate)), NotDelegated());
        (bool ok,) = account.call(data);
        assembly ("memory-safe") {
            let answer := mload(0x40)
            returndatacopy(answer, 0, returndatasize())
            switch ok
            case 0 { revert(answer, returndatasize()) }
            default { return(answer, returndatasize()) }
        }
    }
}
