// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Callback} from "./Callback.sol";

/// @title Unlocks a contract that keeps the tokens of all its pools and calls back to be used.
/// @dev The callback trusts nothing that its caller could choose. The hash of the callback's selector, of
/// its caller and of the bytes to come back is in transient storage before the call, can be used once, and
/// is gone after the transaction. With the selector in it, bytes for one callback cannot enter another.
abstract contract Unlock is Callback {
    uint256 private transient _expected;

    /// @notice Calls `unlock(data)` of `holder`, which must make the `callback` with the data exactly once.
    function _unlock(address holder, bytes4 callback, bytes memory data) internal {
        _expected = uint256(keccak256(bytes.concat(callback, bytes20(holder), data)));
        IUnlock(holder).unlock(data);
        if (_expected != 0) revert CallbackMissing(holder);
    }

    /// @notice Begins a callback: reverts unless the current holder makes it with the bytes that it was given,
    /// for the first time.
    function _enter(bytes calldata data) internal {
        if (_expected != uint256(keccak256(bytes.concat(msg.sig, bytes20(msg.sender), data)))) {
            revert CallbackRefused(msg.sender);
        }
        // Cleared before any call, so a token or a pool that calls back cannot cause a second payment.
        _expected = 0;
    }
}

/// @dev The return value is not read.
interface IUnlock {
    function unlock(bytes calldata data) external;
}
