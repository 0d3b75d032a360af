// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// For tests: an account with code (ERC-1271) whose owner decides how it answers, and to whom.
contract TestFickleWallet {
    enum Mood {
        Willing,
        /// No to the token, yes to everybody else.
        TwoFaced,
        /// A fault that is no revert.
        Faulty,
        Slow
    }

    Mood public mood;
    address private immutable token;

    constructor(address token_) {
        token = token_;
    }

    function become(Mood mood_) external {
        mood = mood_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (mood == Mood.TwoFaced && msg.sender == token) return 0xffffffff;
        if (mood == Mood.Faulty) {
            assembly {
                invalid()
            }
        }
        if (mood == Mood.Slow) {
            uint256 start = gasleft();
            while (start - gasleft() < 600_000) {}
        }
        return this.isValidSignature.selector;
    }
}
