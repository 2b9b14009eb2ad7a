// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

interface IDomain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

interface INonces {
    function nonces(address owner) external view returns (uint256);
}

struct Signing {
    address token;
    uint256 amount;
    address spender;
    uint256 nonce;
    uint256 deadline;
}

/// @title Signs EIP-2612 permits and Permit2 transfers.
library Sign {
    Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    bytes32 private constant PERMIT = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant TOKEN_PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant PERMIT2_TRANSFER = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );

    /// r, s and v of the token's own permit, at the owner's next nonce.
    function permit(uint256 key, Signing memory what) internal view returns (bytes memory) {
        address owner = VM.addr(key);
        uint256 nonce = INonces(what.token).nonces(owner);
        bytes32 content =
            keccak256(abi.encode(PERMIT, owner, what.spender, what.amount, nonce, what.deadline));
        return sign(key, typed(IDomain(what.token).DOMAIN_SEPARATOR(), content));
    }

    function permit2(uint256 key, Signing memory what) internal view returns (bytes memory) {
        bytes32 permitted = keccak256(abi.encode(TOKEN_PERMISSIONS, what.token, what.amount));
        bytes32 content =
            keccak256(abi.encode(PERMIT2_TRANSFER, permitted, what.spender, what.nonce, what.deadline));
        return sign(key, typed(IDomain(PERMIT2).DOMAIN_SEPARATOR(), content));
    }

    /// r, s and v in the order that wallets use.
    function sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function typed(bytes32 domain, bytes32 content) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, content));
    }
}
