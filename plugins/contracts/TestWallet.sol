// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {SignatureRules} from "./SignatureRules.sol";

/// An account with code for development and tests: what its owner has signed, it has signed (ERC-1271). As the
/// delegate of an EIP-7702 account, whose storage is empty, nobody is its owner and every signature is refused.
contract TestWallet {
    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        bool valid = owner != address(0) && SignatureRules.recover(digest, signature) == owner;
        return valid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
