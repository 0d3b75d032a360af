// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// What batches call in tests: something that fails, that calls back, that burns.
contract TestCallee {
    error Failed(uint256 code);

    event Called(address from, uint256 value, bytes data);

    function note(bytes calldata data) external payable {
        emit Called(msg.sender, msg.value, data);
    }

    function fail(uint256 code) external pure {
        revert Failed(code);
    }

    function failWithoutReason() external pure {
        assembly {
            revert(0, 0)
        }
    }

    /// Reverts with what the call reverts with.
    function callBack(address account, bytes calldata data) external {
        (bool ok, bytes memory answer) = account.call(data);
        if (ok) return;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }

    function burn() external pure {
        assembly {
            invalid()
        }
    }
}
