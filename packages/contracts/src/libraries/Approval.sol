// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "./Tokens.sol";

/// @title Approves a pool for the input of one swap, and revokes the approval after it.
library Approval {
    /// @notice The pool took `taken` and not exactly `amountIn`.
    error PoolTookOther(address pool, uint256 amountIn, uint256 taken);

    /// @notice Approves the pool for exactly `amountIn`; returns this contract's balance before the swap.
    function give(address token, address pool, uint256 amountIn) internal returns (uint256 balance) {
        balance = Tokens.balanceOf(token, address(this));
        Tokens.approve(token, pool, amountIn);
    }

    /// @notice Revokes the approval, used or not, because this contract may have the same token again in a
    /// later hop. Reverts unless the pool took exactly `amountIn`.
    function end(address token, address pool, uint256 amountIn, uint256 balance) internal {
        Tokens.approve(token, pool, 0);
        uint256 afterSwap = Tokens.balanceOf(token, address(this));
        uint256 taken = afterSwap < balance ? balance - afterSwap : 0;
        if (taken != amountIn) revert PoolTookOther(pool, amountIn, taken);
    }
}
