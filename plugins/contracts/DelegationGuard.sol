// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface IBatchExecutor {
    function execute(bytes32 mode, bytes calldata executionData) external;
}

/// Between a sponsor and an account: a call to an account without code succeeds and does nothing, so a transaction whose
/// authorization was skipped would look like a success. This one reverts instead. It holds nothing and passes no value on.
contract DelegationGuard {
    error NotDelegated(address account);

    /// @param delegate What the account must delegate to (EIP-7702), to the byte.
    function execute(address account, address delegate, bytes32 mode, bytes calldata executionData) external {
        bytes32 designator = keccak256(abi.encodePacked(hex"ef0100", delegate));
        require(account.codehash == designator, NotDelegated(account));
        IBatchExecutor(account).execute(mode, executionData);
    }
}
