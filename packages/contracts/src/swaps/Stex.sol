// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";

/// @title A hop through a Valantis sovereign pool, which pulls its input by an approval.
library Stex {
    /// @notice Swaps exactly `amountIn`; the output goes to this contract.
    /// @dev The payment callback that the pool offers is not used. The contexts carry data for modules
    /// that want signatures or accounts; they stay empty, so a program cannot pass data to a module.
    /// The pool's own minimum is 0, because the floor of the order limits the price.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn, bool zeroForOne)
        internal
    {
        uint256 balance = Approval.give(tokenIn, pool, amountIn);
        SovereignPoolSwapParams memory params;
        params.isZeroToOne = zeroForOne;
        params.amountIn = amountIn;
        params.deadline = block.timestamp;
        params.recipient = address(this);
        params.swapTokenOut = tokenOut;
        ISovereignPool(pool).swap(params);
        Approval.end(tokenIn, pool, amountIn, balance);
    }
}

struct SovereignPoolSwapContextData {
    bytes externalContext;
    bytes verifierContext;
    bytes swapCallbackContext;
    bytes swapFeeModuleContext;
}

struct SovereignPoolSwapParams {
    bool isSwapCallback;
    bool isZeroToOne;
    uint256 amountIn;
    uint256 amountOutMin;
    uint256 deadline;
    address recipient;
    address swapTokenOut;
    SovereignPoolSwapContextData swapContext;
}

/// @dev The return value is not read, because the executor measures the output.
interface ISovereignPool {
    function swap(SovereignPoolSwapParams calldata swapParams) external;
}
