// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";

/// @title A hop through a pool whose call names both tokens and which pulls its input by an approval.
/// @dev The family `ladder`: pools priced from outside, whose function is only sampled.
library Ladder {
    /// @notice Swaps exactly `amountIn`; the output goes to this contract.
    /// @dev The pool's own minimum is 1, because the floor of the order limits the price.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn) internal {
        uint256 balance = Approval.give(tokenIn, pool, amountIn);
        ISampledPool(pool).swap(tokenIn, tokenOut, amountIn, 1);
        Approval.end(tokenIn, pool, amountIn, balance);
    }
}

/// @dev The return value is not read, because the executor measures the output.
interface ISampledPool {
    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut) external;
}
