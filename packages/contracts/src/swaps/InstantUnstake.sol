// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";
import {Native} from "../libraries/Native.sol";

/// @title A hop that sells a staked token to its staking manager for the native token, at once and for a fee.
/// @dev A program names the manager and, as the token out, the wrapped token. The pool that pays is another
/// contract, which the manager names, so the native token is accepted from anyone while the manager is called.
abstract contract InstantUnstake is Native {
    /// @notice Sells exactly `amountIn` of `tokenIn`; the output goes to this contract, wrapped.
    /// @dev The manager's own minimum is 1, because the floor of the order limits the price.
    function _swapInstantUnstake(address manager, address tokenIn, address tokenOut, uint256 amountIn) internal {
        _requireWrapped(tokenOut);
        uint256 balance = Approval.give(tokenIn, manager, amountIn);
        uint256 native = address(this).balance;
        _payer = ANYONE;
        IStakingManager(manager).instantUnstake(amountIn, 1);
        _payer = 0;
        Approval.end(tokenIn, manager, amountIn, balance);
        _wrapArrived(native);
    }
}

/// @dev It returns nothing; the executor measures the output.
interface IStakingManager {
    function instantUnstake(uint256 kHYPEAmount, uint256 minHYPEOut) external;
}
