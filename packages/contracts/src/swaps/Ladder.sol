// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @title One swap through a pool that is told both tokens and takes its input by an approval.
library Ladder {
    /// @notice The pool took another amount than it was given.
    error PoolTookOther(address pool, uint256 amountIn, uint256 taken);

    /// @notice Swaps exactly `amountIn`; the output comes to this contract.
    /// @dev The pool is approved for the amount alone, and the approval is taken back whatever it did
    /// with it: a later hop may hold the same token. The order's floor is what limits the price.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn) internal {
        uint256 beforeSwap = Tokens.balanceOf(tokenIn, address(this));
        Tokens.approve(tokenIn, pool, amountIn);
        ISampledPool(pool).swap(tokenIn, tokenOut, amountIn, 1);
        Tokens.approve(tokenIn, pool, 0);
        uint256 afterSwap = Tokens.balanceOf(tokenIn, address(this));
        uint256 taken = afterSwap < beforeSwap ? beforeSwap - afterSwap : 0;
        if (taken != amountIn) revert PoolTookOther(pool, amountIn, taken);
    }
}

/// @dev What it returns is not read: the output is measured.
interface ISampledPool {
    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut) external;
}
