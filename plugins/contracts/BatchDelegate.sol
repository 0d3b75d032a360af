// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {SignatureRules} from "./SignatureRules.sol";

/// Runs batches of calls for an account that has delegated its code to this contract (EIP-7702), when the account's own
/// key has signed them. Anybody may hand a batch in and pay for it; nobody can change, split or repeat it.
///
/// The interface is ERC-7821's, in its mode with `opData` only. Without an owner in storage there is nothing to
/// initialize and nothing to take over: whoever has the account's key is the owner.
contract BatchDelegate {
    /// As in ERC-7821, but that a zero address stays what it is.
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    /// Upper 192 bits of a nonce: a row of batches; lower 64 bits: the place in the row. Rows do not wait for each other.
    /// @custom:storage-location erc7201:keystead.batch-delegate.v1
    struct Nonces {
        mapping(uint192 row => uint64) next;
    }

    /// keccak256(abi.encode(uint256(keccak256("keystead.batch-delegate.v1")) - 1)) & ~0xff (ERC-7201): the account may have
    /// had another delegate before, and what that left in the storage is not touched.
    bytes32 private constant NONCES_SLOT = keccak256(
        abi.encode(uint256(keccak256("keystead.batch-delegate.v1")) - 1)
    ) & ~bytes32(uint256(0xff));

    /// ERC-7821: one batch, with `opData`.
    bytes10 private constant MODE = 0x01000000000078210001;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant BATCH_TYPEHASH =
        keccak256("Batch(Call[] calls,uint256 nonce,uint256 deadline)Call(address to,uint256 value,bytes data)");
    bytes32 private constant NAME_HASH = keccak256("Keystead Batch");
    bytes32 private constant VERSION_HASH = keccak256("1");

    /// Of the account, in this transaction. What is called by a batch cannot put another signed batch into its middle.
    bool private transient running;

    event BatchExecuted(uint256 indexed nonce, bytes32 indexed digest);

    error ModeUnsupported();
    error BatchEmpty();
    error DeadlinePassed();
    error NonceInvalid();
    error SignatureInvalid();
    error Reentered();
    /// @param index Of the call, from 0. @param reason What it reverted with.
    error CallFailed(uint256 index, bytes reason);

    /// An account goes on to take money as it did before.
    receive() external payable {}

    /// All calls, or none. Not payable, so that who hands it in cannot put money into it.
    /// @param mode First ten bytes: ERC-7821's batch with opData; the rest is not looked at.
    /// @param executionData abi.encode(Call[] calls, bytes opData), with opData = abi.encode(uint256 nonce, uint256
    /// deadline, bytes signature). The deadline in Unix seconds, itself included.
    function execute(bytes32 mode, bytes calldata executionData) external {
        require(supportsExecutionMode(mode), ModeUnsupported());
        require(!running, Reentered());
        running = true;
        (Call[] memory calls, bytes memory opData) = abi.decode(executionData, (Call[], bytes));
        (uint256 nonce, uint256 deadline, bytes memory signature) = abi.decode(opData, (uint256, uint256, bytes));
        require(calls.length > 0, BatchEmpty());
        require(block.timestamp <= deadline, DeadlinePassed());
        spend(nonce);
        bytes32 digest = digestOf(calls, nonce, deadline);
        require(isOwner(digest, signature), SignatureInvalid());
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            require(ok, CallFailed(i, answer));
        }
        emit BatchExecuted(nonce, digest);
        running = false;
    }

    /// ERC-7821.
    function supportsExecutionMode(bytes32 mode) public pure returns (bool) {
        return bytes10(mode) == MODE;
    }

    /// What the next batch of a row has to carry.
    function getNonce(uint192 row) external view returns (uint256) {
        return (uint256(row) << 64) | nonces().next[row];
    }

    /// What the owner signs (EIP-712).
    function digestOf(Call[] memory calls, uint256 nonce, uint256 deadline) public view returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, calls[i].to, calls[i].value, keccak256(calls[i].data)));
        }
        bytes32 batch = keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(hashes)), nonce, deadline));
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this)));
        return keccak256(abi.encodePacked(hex"1901", domain, batch));
    }

    /// ERC-1271: with code, the account is asked by tokens whether it signed, and the key's signatures must go on to count.
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        return isOwner(digest, signature) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// ERC-721 and ERC-1155 ask accounts with code whether they take tokens.
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    /// ERC-165, for itself, the receivers of ERC-721 and ERC-1155, and ERC-1271.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x150b7a02 || id == 0x4e2312e0 || id == 0x1626ba7e;
    }

    function spend(uint256 nonce) private {
        mapping(uint192 row => uint64) storage next = nonces().next;
        uint192 row = uint192(nonce >> 64);
        require(next[row] == uint64(nonce), NonceInvalid());
        next[row]++;
    }

    function isOwner(bytes32 digest, bytes memory signature) private view returns (bool) {
        return SignatureRules.recover(digest, signature) == address(this);
    }

    function nonces() private pure returns (Nonces storage all) {
        bytes32 slot = NONCES_SLOT;
        assembly ("memory-safe") {
            all.slot := slot
        }
    }
}
