// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// For tests: several calls of one contract in one transaction, as anybody may make them.
contract TestSeveral {
    function run(address to, bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok,) = to.call(calls[i]);
            require(ok);
        }
    }
}
