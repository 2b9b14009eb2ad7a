// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";

/// @title One swap through a pool that is told both tokens and takes its input by an approval.
library Ladder {
    /// @notice Swaps exactly `amountIn`; the output comes to this contract.
    /// @dev The order's floor is what limits the price.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn) internal {
        uint256 balance = Approval.give(tokenIn, pool, amountIn);
        ISampledPool(pool).swap(tokenIn, tokenOut, amountIn, 1);
        Approval.end(tokenIn, pool, amountIn, balance);
    }
}

/// @dev What it returns is not read: the output is measured.
interface ISampledPool {
    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut) external;
}
