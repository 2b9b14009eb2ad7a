// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {MockERC20} from "solmate/src/test/utils/mocks/MockERC20.sol";
import {Base} from "./Base.sol";

interface ISignatures {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function nonces(address owner) external view returns (uint256);
}

/// @title Signing what EIP-2612 tokens and Permit2, both as their authors wrote them, want signed.
abstract contract Permits is Base {
    bytes32 private constant PERMIT = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant TOKEN_PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant PERMIT2_TRANSFER = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );

    struct Signing {
        address token;
        uint256 amount;
        address spender;
        uint256 nonce;
        uint256 deadline;
    }

    address internal permit2;

    function setUp() public virtual override {
        super.setUp();
        permit2 = new DeployPermit2().run();
        vm.label(permit2, "Permit2");
    }

    function newPermitToken() internal returns (address) {
        return address(new MockERC20("Permit", "PMT", 18));
    }

    /// r, s and v of the token's own permit, at the owner's next nonce.
    function signPermit(uint256 key, Signing memory what) internal view returns (bytes memory) {
        address owner = vm.addr(key);
        bytes32 content = keccak256(
            abi.encode(
                PERMIT, owner, what.spender, what.amount, ISignatures(what.token).nonces(owner), what.deadline
            )
        );
        return sign(key, ISignatures(what.token).DOMAIN_SEPARATOR(), content);
    }

    function signPermit2(uint256 key, Signing memory what) internal view returns (bytes memory) {
        bytes32 permitted = keccak256(abi.encode(TOKEN_PERMISSIONS, what.token, what.amount));
        bytes32 content =
            keccak256(abi.encode(PERMIT2_TRANSFER, permitted, what.spender, what.nonce, what.deadline));
        return sign(key, ISignatures(permit2).DOMAIN_SEPARATOR(), content);
    }

    function sign(uint256 key, bytes32 domain, bytes32 content) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, content)));
        return abi.encodePacked(r, s, v);
    }
}
