// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BufferWrapOrUnwrapParams} from "../../src/swaps/BalancerBuffer.sol";
import {VaultSwapParams} from "../../src/swaps/BalancerV3.sol";
import {HostilePool} from "./HostilePool.sol";

/// @title A pool that names itself as its vault, with a settable answer to each step.
/// @dev It executes the configured calls inside `unlock`, before and after the callbacks that it makes.
contract HostileVault is HostilePool {
    uint256 public callbacks = 1;
    /// Replaces the bytes of the callback, if any.
    bytes public other;
    uint256 public claims;

    function getVault() external view returns (address) {
        return address(this);
    }

    function setCallbacks(uint256 count) external {
        callbacks = count;
    }

    function setOther(bytes calldata data) external {
        other = data;
    }

    /// The amount out that `swap` claims.
    function setClaims(uint256 amountOut) external {
        claims = amountOut;
    }

    function unlock(bytes calldata data) external {
        bytes memory sent = data;
        if (other.length != 0) sent = other;
        for (uint256 i = 0; i < callbacks; i++) {
            (bool ok, bytes memory reason) = msg.sender.call(sent);
            if (!ok) {
                assembly {
                    revert(add(reason, 32), mload(reason))
                }
            }
        }
        this.play();
    }

    function swap(VaultSwapParams calldata params) external view returns (uint256, uint256, uint256) {
        return (claims, params.amountGivenRaw, claims);
    }

    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        view
        returns (uint256, uint256, uint256)
    {
        return (claims, params.amountGivenRaw, claims);
    }

    function settle(address, uint256) external {}

    function sendTo(address, address, uint256) external {}
}
