// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @title One swap through a pool with the Uniswap V3 interface, and the callback that pays it.
/// @dev The callback trusts nothing it is told. What it may pay, in which token and to whom is
/// written down before the pool is called, is spent once, and is gone when the transaction ends.
abstract contract UniswapV3 {
    /// @notice The amount does not fit the pool's signed amounts.
    error AmountTooLarge(uint256 amount);
    /// @notice A callback from anyone but the pool being swapped now, or its second one.
    error CallbackRefused(address caller);
    /// @notice The pool does not take exactly the whole input.
    error InputNotTaken(address pool, uint256 amountIn, int256 owed);
    /// @notice The pool returned without asking to be paid.
    error CallbackMissing(address pool);

    uint160 private constant MIN_SQRT_PRICE = 4295128739;
    uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342;

    address private transient _pool;
    bool private transient _zeroForOne;
    address private transient _tokenIn;
    uint256 private transient _amountIn;

    /// @notice Sells `amountIn` of `tokenIn`; the output comes to this contract.
    function _swapUniswapV3(address pool, address tokenIn, uint256 amountIn, bool zeroForOne) internal {
        // Past this bound the cast would turn an exact input into an exact output.
        if (amountIn > uint256(type(int256).max)) revert AmountTooLarge(amountIn);
        (_pool, _zeroForOne, _tokenIn, _amountIn) = (pool, zeroForOne, tokenIn, amountIn);
        uint160 limit = zeroForOne ? MIN_SQRT_PRICE + 1 : MAX_SQRT_PRICE - 1;
        IUniswapV3Pool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, "");
        if (_pool != address(0)) revert CallbackMissing(pool);
    }

    /// @notice Uniswap V3's own name, kept by most forks.
    function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
        _pay(amount0Delta, amount1Delta);
    }

    /// @notice HyperSwap's name for the same callback.
    function hyperswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
        _pay(amount0Delta, amount1Delta);
    }

    /// @notice PancakeSwap's name for the same callback.
    function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
        _pay(amount0Delta, amount1Delta);
    }

    /// @notice Algebra's name for the same callback.
    function algebraSwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
        _pay(amount0Delta, amount1Delta);
    }

    function _pay(int256 amount0Delta, int256 amount1Delta) private {
        if (msg.sender != _pool) revert CallbackRefused(msg.sender);
        // Cleared before the transfer: whatever the token calls, there is no second payment.
        _pool = address(0);
        int256 owed = _zeroForOne ? amount0Delta : amount1Delta;
        if (owed != int256(_amountIn)) revert InputNotTaken(msg.sender, _amountIn, owed);
        Tokens.transfer(_tokenIn, msg.sender, _amountIn);
    }
}

/// @dev The two deltas it returns are not read: the output is measured.
interface IUniswapV3Pool {
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external;
}
