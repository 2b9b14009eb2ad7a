// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";

/// @title One swap through a Valantis sovereign pool, which takes its input by an approval.
library Stex {
    /// @notice Swaps exactly `amountIn`; the output comes to this contract.
    /// @dev The pool offers a callback to be paid in; it is never asked for. Contexts are for modules
    /// that ask for signatures or accounts, and are left empty: no program may say anything to them.
    /// The order's floor is what limits the price.
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

/// @dev What it returns is not read: the output is measured.
interface ISovereignPool {
    function swap(SovereignPoolSwapParams calldata swapParams) external;
}
