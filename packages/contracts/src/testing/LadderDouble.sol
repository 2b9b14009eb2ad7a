// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @title A registry of pools priced from outside. For tests only: anyone may call every function.
contract LadderFactoryDouble {
    /// @dev The first entry is empty, as that of a removed pool.
    address[] private _pools = [address(0)];
    mapping(address => mapping(address => address)) private _poolOf;

    function createPool(address token0, address token1) external returns (address pool) {
        pool = address(new LadderDouble(token0, token1));
        _pools.push(pool);
        _poolOf[token0][token1] = _poolOf[token1][token0] = pool;
    }

    function getPoolForPair(address tokenA, address tokenB) external view returns (address) {
        return _poolOf[tokenA][tokenB];
    }

    function getPools() external view returns (address[] memory) {
        return _pools;
    }
}

/// @title A pool priced from outside, whose output is capped at its balance. For tests only.
/// @dev Our own concave formula, not one of a venue; its price moves without a log.
contract LadderDouble {
    address public immutable token0;
    address public immutable token1;
    uint256 private _depth0;
    uint256 private _depth1;
    bool private _isSingle;

    error NoBatch();
    error AmountZero();
    error TooLittle(uint256 amountOut, uint256 minAmountOut);
    error NotItsTokens(address tokenIn, address tokenOut);

    constructor(address token0_, address token1_) {
        (token0, token1) = (token0_, token1_);
    }

    /// @notice Sets the price, and how fast it falls with the amount.
    function setDepths(uint256 depth0, uint256 depth1) external {
        (_depth0, _depth1) = (depth0, depth1);
    }

    /// @notice Refuses batches of estimates from now on, as pools do that only have the single one.
    function refuseBatches() external {
        _isSingle = true;
    }

    function getTokens() external view returns (address, address) {
        return (token0, token1);
    }

    function getReserves() external view returns (uint256, uint256) {
        return (Tokens.balanceOf(token0, address(this)), Tokens.balanceOf(token1, address(this)));
    }

    function estimateSwapBatch(address tokenIn, address tokenOut, uint256[] calldata amountsIn)
        external
        view
        returns (uint256[] memory amountsOut)
    {
        if (_isSingle) revert NoBatch();
        amountsOut = new uint256[](amountsIn.length);
        for (uint256 i = 0; i < amountsIn.length; i++) {
            amountsOut[i] = _estimate(tokenIn, tokenOut, amountsIn[i]);
        }
    }

    function estimateSwap(address tokenIn, address tokenOut, uint256 amountIn)
        external
        view
        returns (uint256)
    {
        if (amountIn == 0) revert AmountZero();
        return _estimate(tokenIn, tokenOut, amountIn);
    }

    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut)
        external
        returns (uint256 amountOut)
    {
        amountOut = _estimate(tokenIn, tokenOut, amountIn);
        if (amountOut < minAmountOut) revert TooLittle(amountOut, minAmountOut);
        Tokens.pullFromSender(tokenIn, address(this), amountIn);
        Tokens.transfer(tokenOut, msg.sender, amountOut);
    }

    function _estimate(address tokenIn, address tokenOut, uint256 amountIn)
        private
        view
        returns (uint256 amountOut)
    {
        bool zeroForOne = tokenIn == token0 && tokenOut == token1;
        if (!zeroForOne && (tokenIn != token1 || tokenOut != token0)) {
            revert NotItsTokens(tokenIn, tokenOut);
        }
        (uint256 x, uint256 y) = zeroForOne ? (_depth0, _depth1) : (_depth1, _depth0);
        amountOut = amountIn * y / (x + amountIn);
        uint256 most = Tokens.balanceOf(tokenOut, address(this));
        if (amountOut > most) amountOut = most;
    }
}
