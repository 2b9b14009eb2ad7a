// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A contract that says it is a V3 pool of a factory, and logs swaps that nobody made.
contract FalsePool {
    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick
    );

    address public factory;
    address public token0;
    address public token1;
    uint24 public fee;

    constructor(address factory_, address token0_, address token1_, uint24 fee_) {
        (factory, token0, token1, fee) = (factory_, token0_, token1_, fee_);
    }

    function pretend() external {
        emit Swap(msg.sender, msg.sender, 1, -1, 2 ** 96, 1, 0);
    }
}
