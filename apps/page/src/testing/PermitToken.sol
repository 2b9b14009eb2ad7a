// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestToken} from "TestToken.sol";

/// @title The devnet's token with EIP-2612. Its storage begins like that of the token it replaces.
contract PermitToken is TestToken {
    mapping(address owner => uint256 nonce) public nonces;

    /// @notice The signature is not the owner's, or too late.
    error BadPermit();

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        bytes32 fields = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                owner, spender, value, nonces[owner]++, deadline
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), fields));
        if (block.timestamp > deadline || ecrecover(digest, v, r, s) != owner) revert BadPermit();
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function version() external pure returns (string memory) {
        return "2";
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(this.name())), keccak256("2"), block.chainid, address(this)
            )
        );
    }
}
