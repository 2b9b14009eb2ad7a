// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Callback} from "../libraries/Callback.sol";
import {Tokens} from "../libraries/Tokens.sol";

/// @title A hop through a pool with the Uniswap V3 interface, and the callback that pays the pool.
/// @dev The callback does not trust its arguments. The payee, token and amount are stored in transient
/// storage before the pool is called, can be used once, and are gone after the transaction.
abstract contract UniswapV3 is Callback {
    uint160 private constant MIN_SQRT_PRICE = 4295128739;
    uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342;

    /// @dev The current pool, and in the bit above it whether its token 0 goes in; 0 is none. Full words,
    /// because writing a part of a word costs an extra read.
    uint256 private transient _payee;
    uint256 private transient _tokenIn;
    uint256 private transient _amountIn;

    /// @notice Sells exactly `amountIn` of `tokenIn`; the output goes to `to`.
    function _swapUniswapV3(address pool, address tokenIn, uint256 amountIn, bool zeroForOne, address to)
        internal
    {
        // A larger amount would become negative in the cast, which means an exact output.
        if (amountIn > uint256(type(int256).max)) revert AmountTooLarge(amountIn);
        _payee = _payeeOf(pool, zeroForOne);
        _tokenIn = uint160(tokenIn);
        _amountIn = amountIn;
        uint160 limit = zeroForOne ? MIN_SQRT_PRICE + 1 : MAX_SQRT_PRICE - 1;
        IUniswapV3Pool(pool).swap(to, zeroForOne, int256(amountIn), limit, "");
        if (_payee != 0) revert CallbackMissing(pool);
    }

    /// @notice Uniswap V3's name of the callback, which most forks keep.
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
        uint256 payee = _payee;
        bool zeroForOne = payee == _payeeOf(msg.sender, true);
        if (!zeroForOne && payee != _payeeOf(msg.sender, false)) revert CallbackRefused(msg.sender);
        // Cleared before the transfer, so a token that calls back cannot cause a second payment.
        _payee = 0;
        uint256 amountIn = _amountIn;
        int256 owed = zeroForOne ? amount0Delta : amount1Delta;
        if (owed != int256(amountIn)) revert InputNotTaken(msg.sender, amountIn, owed);
        Tokens.transfer(address(uint160(_tokenIn)), msg.sender, amountIn);
    }

    function _payeeOf(address pool, bool zeroForOne) private pure returns (uint256) {
        return (zeroForOne ? 1 << 160 : 0) | uint160(pool);
    }
}

/// @dev The two returned deltas are not read, because the executor measures the output.
interface IUniswapV3Pool {
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external;
}
