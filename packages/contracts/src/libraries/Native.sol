// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IWrappedNative} from "../interfaces/IWrappedNative.sol";

/// @title Takes the native token in, only while a hop expects it, and wraps exactly what arrived.
/// @dev Programs name the wrapped token in place of the native one, so a balance of it is never held.
abstract contract Native {
    /// @notice The native token is traded in place of a token that is not the wrapped native one.
    error NotWrappedNative(address token);
    /// @notice The native token is accepted only from the wrapped token and from the payer of the hop.
    error NativeRefused(address sender);

    /// @dev In place of a payer: the contract that a hop calls may have another one pay.
    uint256 internal constant ANYONE = type(uint256).max;

    address internal immutable _wrappedNative;
    /// @dev The account that may pay the native token in the current hop, or `ANYONE`; 0 is none.
    uint256 internal transient _payer;

    constructor(address wrappedNative) {
        _wrappedNative = wrappedNative;
    }

    /// @dev The wrapped token pays out here, and so does the payer of the current hop.
    receive() external payable {
        if (msg.sender == _wrappedNative) return;
        uint256 payer = _payer;
        if (uint160(msg.sender) != payer && payer != ANYONE) revert NativeRefused(msg.sender);
    }

    /// @notice Reverts unless `token` is the wrapped native one.
    function _requireWrapped(address token) internal view {
        if (token != _wrappedNative) revert NotWrappedNative(token);
    }

    /// @notice Wraps what arrived since this contract's balance was `balance`.
    /// @dev Not what was asked for, because a hostile pool would have a gift wrapped.
    function _wrapArrived(uint256 balance) internal {
        IWrappedNative(_wrappedNative).deposit{value: address(this).balance - balance}();
    }
}
