// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "./Tokens.sol";

/// @title An approval of a pool for the input of one swap, and no longer than that.
library Approval {
    /// @notice The pool took another amount than it was given.
    error PoolTookOther(address pool, uint256 amountIn, uint256 taken);

    /// @notice Lets the pool take exactly `amountIn`; answers what this contract holds before.
    function give(address token, address pool, uint256 amountIn) internal returns (uint256 balance) {
        balance = Tokens.balanceOf(token, address(this));
        Tokens.approve(token, pool, amountIn);
    }

    /// @notice Takes the approval back whatever the pool did with it, for a later hop may hold the same
    /// token, and reverts unless the pool took exactly `amountIn`.
    function end(address token, address pool, uint256 amountIn, uint256 balance) internal {
        Tokens.approve(token, pool, 0);
        uint256 afterSwap = Tokens.balanceOf(token, address(this));
        uint256 taken = afterSwap < balance ? balance - afterSwap : 0;
        if (taken != amountIn) revert PoolTookOther(pool, amountIn, taken);
    }
}
