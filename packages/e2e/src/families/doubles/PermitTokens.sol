// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20 as OzERC20} from "@uniswap/v4-core/lib/openzeppelin-contracts/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@uniswap/v4-core/lib/openzeppelin-contracts/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20 as SolmateERC20} from "@uniswap/v4-core/lib/solmate/src/tokens/ERC20.sol";

/// @title OpenZeppelin's token with permits, unmodified.
contract OpenZeppelinPermitToken is ERC20Permit {
    constructor(uint256 supply) OzERC20("Signed", "SIGN") ERC20Permit("Signed") {
        _mint(msg.sender, supply);
    }
}

/// @title solmate's token, which has its own permits.
contract SolmatePermitToken is SolmateERC20 {
    constructor(uint256 supply) SolmateERC20("Mated", "MATE", 18) {
        _mint(msg.sender, supply);
    }
}

/// @title A token with a domain as it should be, whose permit refuses, or does nothing.
contract FalsePermitToken is SolmateERC20 {
    bool private immutable refuses;

    constructor(uint256 supply, bool refuses_) SolmateERC20("False", "FALSE", 18) {
        refuses = refuses_;
        _mint(msg.sender, supply);
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) public view override {
        require(!refuses, "refused");
    }
}

/// @title A token whose permit has the fields of DAI's, in a domain of the same form.
contract DaiLikeToken is SolmateERC20 {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");

    constructor(uint256 supply) SolmateERC20("Dai Stablecoin", "DAI", 18) {
        _mint(msg.sender, supply);
    }
}
