// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";

/// @title A hop through a Curve Twocrypto or Tricrypto pool, whose call takes coins by unsigned indices.
library CurveCrypto {
    /// @notice Swaps exactly `amountIn` of coin `i` for coin `j`; the output goes to this contract.
    /// @dev The form of `exchange` with four arguments pays its caller, in the tokens of the pool. The pool's
    /// own minimum is 0, because the floor of the order limits the price. Indices of other coins than the
    /// hop's two tokens fail, because the executor measures both tokens.
    function swap(address pool, address tokenIn, uint256 amountIn, uint256 i, uint256 j) internal {
        uint256 balance = Approval.give(tokenIn, pool, amountIn);
        ICryptoSwap(pool).exchange(i, j, amountIn, 0);
        Approval.end(tokenIn, pool, amountIn, balance);
    }
}

/// @dev The return value is not read, because the executor measures the output.
interface ICryptoSwap {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external;
}
