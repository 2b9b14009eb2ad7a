// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The errors of callbacks, for every family whose pools ask for their input in one.
abstract contract Callback {
    /// @notice The callback came from another address than the current pool, or for a second time.
    error CallbackRefused(address caller);
    /// @notice The pool returned without asking to be paid.
    error CallbackMissing(address pool);
    /// @notice The amount does not fit into the signed integer that the pool takes.
    error AmountTooLarge(uint256 amount);
    /// @notice The pool asks for another amount than the whole input.
    error InputNotTaken(address pool, uint256 amountIn, int256 owed);
}
