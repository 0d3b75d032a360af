// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {SignatureRules} from "./SignatureRules.sol";

struct Call {
    /// Zero stands for the account itself (ERC-7821).
    address to;
    uint256 value;
    bytes data;
}

/// Code that an account delegates to (EIP-7702) so that anybody can carry out batches that its own key has signed.
///
/// The signature covers every call, the nonce, the deadline, the chain and the account (EIP-712), so whoever submits it
/// can neither change it nor use it twice, elsewhere or later. There is no owner to set up, and so nothing that somebody
/// else could set up first: the key of the account's address is the owner. A batch runs whole or not at all.
contract BatchDelegate {
    bytes32 public constant BATCH_TYPEHASH = keccak256(
        "Batch(Call[] calls,uint256 nonce,uint256 deadline)Call(address to,uint256 value,bytes data)"
    );
    bytes32 public constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME_HASH = keccak256("Keystead Batch Delegate");
    bytes32 private constant VERSION_HASH = keccak256("1");

    /// ERC-7821: a batch that reverts when one of its calls does; without and with further data.
    uint256 private constant MODE_PLAIN = 0x01000000000000000000;
    uint256 private constant MODE_WITH_DATA = 0x01000000000078210001;
    /// Bytes 2 to 5 of the first ten are free for others to use.
    uint256 private constant MODE_MASK = 0xffff00000000ffffffff;

    /// The account's storage is shared with every other delegate it ever has: ERC-7201, `keystead.batch-delegate`.
    bytes32 private constant STORAGE_SLOT =
        keccak256(abi.encode(uint256(keccak256("keystead.batch-delegate")) - 1)) & ~bytes32(uint256(0xff));

    struct Storage {
        /// For each key the sequence number that comes next.
        mapping(uint192 key => uint64) sequences;
    }

    event BatchExecuted(uint256 indexed nonce, bytes32 indexed digest);

    error ModeNotSupported();
    error NoCalls();
    error OnlySelf();
    error NonceNotNext();
    error DeadlinePassed();
    error SignatureInvalid();
    error CallFailed(uint256 index, bytes revertData);

    receive() external payable {}

    /// Not payable: who submits a batch can add nothing to it.
    /// @param executionData ABI of `(Call[])`, for the account itself, or `(Call[], bytes)` where the bytes are the ABI of
    /// `(uint256 nonce, uint256 deadline, bytes signature)`.
    function execute(bytes32 mode, bytes calldata executionData) external {
        uint256 kind = kindOf(mode);
        if (kind == MODE_PLAIN) {
            require(msg.sender == address(this), OnlySelf());
            run(abi.decode(executionData, (Call[])));
        } else {
            require(kind == MODE_WITH_DATA, ModeNotSupported());
            (Call[] memory calls, bytes memory signed) = abi.decode(executionData, (Call[], bytes));
            (uint256 nonce, uint256 deadline, bytes memory signature) = abi.decode(signed, (uint256, uint256, bytes));
            authorize(calls, nonce, deadline, signature);
            run(calls);
        }
    }

    function supportsExecutionMode(bytes32 mode) external pure returns (bool) {
        uint256 kind = kindOf(mode);
        return kind == MODE_PLAIN || kind == MODE_WITH_DATA;
    }

    /// What is signed: the EIP-712 digest over `Batch`.
    function digestOf(Call[] memory calls, uint256 nonce, uint256 deadline) public view returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, calls[i].to, calls[i].value, keccak256(calls[i].data)));
        }
        bytes32 content = keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(hashes)), nonce, deadline));
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this)));
        return keccak256(abi.encodePacked(hex"1901", domain, content));
    }

    /// The nonce of the next batch: 192 bits of a key that the owner chooses, 64 bits of its sequence. Batches of
    /// different keys do not wait for each other.
    function nextNonce(uint192 key) external view returns (uint256) {
        return (uint256(key) << 64) | stored().sequences[key];
    }

    /// ERC-1271: what the account's own key has signed.
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        bool valid = SignatureRules.recover(digest, signature) == address(this);
        return valid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// An account with code must say that it takes tokens of ERC-721 and ERC-1155.
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

    /// Uses the nonce up before anything runs.
    function authorize(Call[] memory calls, uint256 nonce, uint256 deadline, bytes memory signature) private {
        require(block.timestamp <= deadline, DeadlinePassed());
        uint192 key = uint192(nonce >> 64);
        require(uint64(nonce) == stored().sequences[key], NonceNotNext());
        bytes32 digest = digestOf(calls, nonce, deadline);
        require(SignatureRules.recover(digest, signature) == address(this), SignatureInvalid());
        stored().sequences[key]++;
        emit BatchExecuted(nonce, digest);
    }

    function run(Call[] memory calls) private {
        require(calls.length > 0, NoCalls());
        for (uint256 i = 0; i < calls.length; i++) {
            address to = calls[i].to == address(0) ? address(this) : calls[i].to;
            (bool ok, bytes memory revertData) = to.call{value: calls[i].value}(calls[i].data);
            require(ok, CallFailed(i, revertData));
        }
    }

    function kindOf(bytes32 mode) private pure returns (uint256) {
        return (uint256(mode) >> 176) & MODE_MASK;
    }

    function stored() private pure returns (Storage storage state) {
        bytes32 slot = STORAGE_SLOT;
        assembly {
            state.slot := slot
        }
    }
}
