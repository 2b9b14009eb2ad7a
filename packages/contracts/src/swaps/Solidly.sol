// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A hop through a pair that quotes its own output on chain, such as Solidly's and Camelot's.
library Solidly {
    /// @notice Requests the output that the pair quotes for `amountIn`, which it has already received. The
    /// output goes to `to`. Returns the amount requested.
    /// @dev The first Solidly rounds its quote differently from its check, so a stable pair sometimes
    /// rejects its own quote. The second attempt requests one wei less. If the pair rejected the first
    /// for another reason, it rejects the second too.
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
