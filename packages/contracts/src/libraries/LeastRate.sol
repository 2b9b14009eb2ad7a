// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The least rate of a hop, a decimal float: it scales with the amount, which the program does not name.
library LeastRate {
    /// @notice The least amount out for `amountIn`, rounded down. Reverts with Panic(0x11) if it does not fit.
    /// @param rate The wei out for a wei in, as mantissa:uint56 exponent:int8 for mantissa * 10 ** exponent.
    function leastOut(uint256 rate, uint256 amountIn) internal pure returns (uint256) {
        uint256 product = amountIn * (rate >> 8);
        int256 exponent = int8(uint8(rate));
        return exponent < 0 ? product / 10 ** uint256(-exponent) : product * 10 ** uint256(exponent);
    }
}
