// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface IERC1271 {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// Who signed a digest. An account with code is asked (ERC-1271) and nothing else counts, also when its code is an
/// EIP-7702 delegation; an account without code signs with 65 bytes, s in the lower half, v 27 or 28.
library SignatureRules {
    /// Half of the order of secp256k1 (SEC 2, section 2.4.1), rounded down.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    function isSignedBy(address account, bytes32 digest, bytes memory signature) internal view returns (bool) {
        if (account.code.length == 0) return recover(digest, signature) == account && account != address(0);
        (bool ok, bytes memory answer) =
            account.staticcall(abi.encodeCall(IERC1271.isValidSignature, (digest, signature)));
        return ok && answer.length >= 32
            && abi.decode(answer, (bytes32)) == bytes32(IERC1271.isValidSignature.selector);
    }

    /// Zero for what is no signature.
    function recover(bytes32 digest, bytes memory signature) internal pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        if (uint256(s) > HALF_ORDER || (v != 27 && v != 28)) return address(0);
        return ecrecover(digest, v, r, s);
    }
}
