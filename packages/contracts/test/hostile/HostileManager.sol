// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PoolKey, SwapParams, UniswapV4} from "../../src/swaps/UniswapV4.sol";
import {HostilePool} from "./HostilePool.sol";

/// @title A manager of pools with a settable answer to each step.
/// @dev It executes the configured calls inside `unlock`, after the callbacks that it makes.
contract HostileManager is HostilePool {
    uint256 public callbacks = 1;
    /// Replaces the bytes of the callback, if any.
    bytes public other;
    /// The part of the input that `swap` takes, in percent.
    int256 public taken = 100;
    int256 public claims;
    /// Native wei that `take` pays.
    uint256 public pays;
    uint256 public received;

    function setCallbacks(uint256 count) external {
        callbacks = count;
    }

    function setOther(bytes calldata data) external {
        other = data;
    }

    function setTaken(int256 percent) external {
        taken = percent;
    }

    /// The amount out that `swap` claims.
    function setClaims(int256 amountOut) external {
        claims = amountOut;
    }

    function setPays(uint256 amount) external {
        pays = amount;
    }

    function unlock(bytes calldata data) external {
        bytes memory sent = data;
        if (other.length != 0) sent = other;
        for (uint256 i = 0; i < callbacks; i++) {
            UniswapV4(payable(msg.sender)).unlockCallback(sent);
        }
        this.play();
    }

    function swap(PoolKey calldata, SwapParams calldata params, bytes calldata) external view returns (int256) {
        int256 deltaIn = params.amountSpecified * taken / 100;
        (int256 delta0, int256 delta1) = params.zeroForOne ? (deltaIn, claims) : (claims, deltaIn);
        return (delta0 << 128) | int256(uint256(uint128(int128(delta1))));
    }

    function sync(address) external {}

    function settle() external payable {
        received += msg.value;
    }

    function take(address, address to, uint256) external {
        if (pays == 0) return;
        (bool ok,) = to.call{value: pays}("");
        require(ok, "refused");
    }
}
