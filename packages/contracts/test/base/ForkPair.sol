// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestToken} from "../../src/testing/TestToken.sol";

/// @title A constant-product pair with a fork's fee, `fee` parts of `denominator`.
/// @dev Our own double: like Uniswap V2, it checks only the product of the fee-adjusted balances.
contract ForkPair {
    address public immutable token0;
    address public immutable token1;
    uint256 private immutable _fee;
    uint256 private immutable _denominator;
    uint112 private _reserve0;
    uint112 private _reserve1;

    constructor(address a, address b, uint256 fee, uint256 denominator) {
        (token0, token1) = a < b ? (a, b) : (b, a);
        (_fee, _denominator) = (fee, denominator);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (_reserve0, _reserve1, 0);
    }

    function sync() public {
        _reserve0 = uint112(TestToken(token0).balanceOf(address(this)));
        _reserve1 = uint112(TestToken(token1).balanceOf(address(this)));
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        require(out0 > 0 || out1 > 0, "NOTHING");
        if (out0 > 0) TestToken(token0).transfer(to, out0);
        if (out1 > 0) TestToken(token1).transfer(to, out1);
        uint256 balance0 = TestToken(token0).balanceOf(address(this));
        uint256 balance1 = TestToken(token1).balanceOf(address(this));
        uint256 in0 = balance0 + out0 - _reserve0;
        uint256 in1 = balance1 + out1 - _reserve1;
        uint256 adjusted0 = balance0 * _denominator - in0 * _fee;
        uint256 adjusted1 = balance1 * _denominator - in1 * _fee;
        require(
            adjusted0 * adjusted1 >= uint256(_reserve0) * _reserve1 * _denominator ** 2, "K"
        );
        sync();
    }
}
