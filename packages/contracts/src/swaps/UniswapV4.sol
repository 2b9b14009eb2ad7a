// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {Hop} from "../libraries/Hops.sol";
import {Native} from "../libraries/Native.sol";
import {Tokens} from "../libraries/Tokens.sol";
import {Unlock} from "../libraries/Unlock.sol";

/// @title A hop through a pool of Uniswap V4, whose manager keeps the tokens, and the manager's callback.
/// @dev A program names the manager, so it may be any contract. A hostile one gets what a hostile pool gets:
/// exactly the hop's input, once, and the executor measures the output. Some pools trade the native token
/// itself, which the manager calls currency 0. A program names the wrapped token instead, as for every other
/// pool, and this contract unwraps the input or wraps the output of such a hop.
abstract contract UniswapV4 is Unlock, Native {
    uint160 private constant MIN_SQRT_PRICE = 4295128739;
    uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342;

    /// @dev Tick spacing and hooks of the current hop: the bytes of its program after those of other hops.
    uint256 private transient _rest;

    /// @notice Keeps what a hop has in addition to the fields of {Hop}, until the hop is performed.
    function _keepRest(uint256 rest) internal {
        _rest = rest;
    }

    /// @notice Sells exactly `amountIn` of `tokenIn`; the output goes to this contract.
    function _swapUniswapV4(Hop hop, address tokenIn, address tokenOut, uint256 amountIn) internal {
        // A larger amount would become negative in the cast, which means an exact output.
        if (amountIn > uint256(type(int256).max)) revert AmountTooLarge(amountIn);
        bool zeroForOne = hop.zeroForOne();
        PoolKey memory key;
        (key.currency0, key.currency1) = zeroForOne ? (tokenIn, tokenOut) : (tokenOut, tokenIn);
        address manager = hop.pool();
        if (hop.isNative()) {
            _requireWrapped(key.currency0);
            key.currency0 = address(0);
            _payer = uint160(manager);
        }
        key.fee = uint24(hop.feePpm());
        uint256 rest = _rest;
        (key.tickSpacing, key.hooks) = (int24(uint24(rest >> 160)), address(uint160(rest)));
        _unlock(manager, this.unlockCallback.selector, abi.encode(key, zeroForOne, amountIn));
        _payer = 0;
    }

    /// @notice The manager calls its unlocker with the bytes that it was given.
    /// @dev The manager reverts unless the swap's input is paid exactly and its output is taken exactly.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        _enter(data);
        (PoolKey memory key, bool zeroForOne, uint256 amountIn) = abi.decode(data, (PoolKey, bool, uint256));
        uint256 amountOut = _sell(key, zeroForOne, amountIn);
        _pay(zeroForOne ? key.currency0 : key.currency1, amountIn);
        _take(zeroForOne ? key.currency1 : key.currency0, amountOut);
        return "";
    }

    /// @dev Swaps in the pool. The halves of `delta` are what this contract gets of each currency, and what
    /// it owes if negative.
    function _sell(PoolKey memory key, bool zeroForOne, uint256 amountIn) private returns (uint256) {
        uint160 limit = zeroForOne ? MIN_SQRT_PRICE + 1 : MAX_SQRT_PRICE - 1;
        SwapParams memory params = SwapParams(zeroForOne, -int256(amountIn), limit);
        int256 delta = IPoolManager(msg.sender).swap(key, params, "");
        (int256 deltaIn, int256 deltaOut) = (delta >> 128, int128(delta));
        if (!zeroForOne) (deltaIn, deltaOut) = (deltaOut, deltaIn);
        if (deltaIn != -int256(amountIn)) revert InputNotTaken(msg.sender, amountIn, -deltaIn);
        return uint256(deltaOut);
    }

    /// @dev `sync` comes first for the native token too: it undoes one of another token before this hop.
    function _pay(address currency, uint256 amount) private {
        IPoolManager(msg.sender).sync(currency);
        if (currency == address(0)) {
            IWrappedNative(_wrappedNative).withdraw(amount);
            IPoolManager(msg.sender).settle{value: amount}();
        } else {
            Tokens.transfer(currency, msg.sender, amount);
            IPoolManager(msg.sender).settle();
        }
    }

    function _take(address currency, uint256 amount) private {
        uint256 balance = address(this).balance;
        IPoolManager(msg.sender).take(currency, address(this), amount);
        if (currency == address(0)) _wrapArrived(balance);
    }
}

/// @dev What a pool's id is the hash of. Currency 0 is below currency 1; zero is the native token.
struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

/// @dev A negative amount is an exact input.
struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

/// @dev The return value of `settle` is not read, because the manager compares all debts and credits itself.
interface IPoolManager {
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable;
    function take(address currency, address to, uint256 amount) external;
}
