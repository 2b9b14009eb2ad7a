// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title One swap through a pair that quotes for itself, as Solidly's and Camelot's do.
library Solidly {
    /// @notice Asks a pair that has been paid `amountIn` for what it quotes, which goes `to` where it is
    /// told.
    /// @dev The first Solidly rounds its quote apart from its check, so that a stable pair now and then
    /// refuses what it quotes: one wei less is asked for then. Whatever else it refused the first time
    /// for, it refuses again.
    function swap(address pool, address tokenIn, uint256 amountIn, bool zeroForOne, address to)
        internal
        returns (uint256 amountOut)
    {
        amountOut = ISolidlyPair(pool).getAmountOut(amountIn, tokenIn);
        (uint256 out0, uint256 out1) = _outputs(amountOut, zeroForOne);
        try ISolidlyPair(pool).swap(out0, out1, to, "") {}
        catch {
            amountOut -= 1;
            (out0, out1) = _outputs(amountOut, zeroForOne);
            ISolidlyPair(pool).swap(out0, out1, to, "");
        }
    }

    function _outputs(uint256 amountOut, bool zeroForOne) private pure returns (uint256, uint256) {
        return zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
    }
}

interface ISolidlyPair {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}
