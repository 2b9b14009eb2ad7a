// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A hop through a pair of Liquidity Book, which is paid before its swap and counts what it got.
library LiquidityBook {
    /// @notice Swaps all that the pair has received; the output goes to `to`.
    /// @dev `swapForY`: token X was paid. The pair names no amount: it takes what it was sent since its last
    /// swap, and reverts if its bins cannot take all of it.
    function swap(address pair, bool swapForY, address to) internal {
        ILBPair(pair).swap(swapForY, to);
    }
}

/// @dev The return value is not read, because the executor measures the output.
interface ILBPair {
    function swap(bool swapForY, address to) external;
}
