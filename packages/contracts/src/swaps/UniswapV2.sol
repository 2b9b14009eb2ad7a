// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A hop through a constant-product pair with the Uniswap V2 interface.
library UniswapV2 {
    /// @notice The program names a fee of 100 % or more, in ppm.
    error FeeTooHigh(uint256 feePpm);

    uint256 private constant ONE = 1_000_000;

    /// @notice Requests the largest output that the formula allows for `amountIn`, which the pair has
    /// already received. The output goes to `to`. Returns the amount requested; the pair checks it.
    function swap(address pool, uint256 amountIn, bool zeroForOne, uint256 feePpm, address to)
        internal
        returns (uint256 amountOut)
    {
        if (feePpm >= ONE) revert FeeTooHigh(feePpm);
        (uint256 reserveIn, uint256 reserveOut) = IUniswapV2Pair(pool).getReserves();
        if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        // out = x·Rout / (Rin·1e6 + x), x = amountIn·(1e6 - fee)   UniswapV2Library.getAmountOut
        uint256 x = amountIn * (ONE - feePpm);
        amountOut = x * reserveOut / (reserveIn * ONE + x);
        (uint256 amount0Out, uint256 amount1Out) =
            zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        IUniswapV2Pair(pool).swap(amount0Out, amount1Out, to, "");
    }
}

/// @dev `getReserves` declares only two values, because forks differ in the values after them.
interface IUniswapV2Pair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1);

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}
