// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FundManagement, SingleSwap} from "../../src/swaps/BalancerV2.sol";
import {TestToken} from "../../src/testing/TestToken.sol";

/// @title A pool that names itself as its vault, takes what it likes and pays what it likes.
contract HostileV2Vault {
    uint256 public taken;
    uint256 public paid;
    uint256 public claims;
    address private _target;
    bytes private _data;
    bool public succeeded;

    function getVault() external view returns (address) {
        return address(this);
    }

    function getPoolId() external pure returns (bytes32) {
        return 0;
    }

    function set(uint256 taken_, uint256 paid_, uint256 claims_) external {
        (taken, paid, claims) = (taken_, paid_, claims_);
    }

    /// A call to make in the middle of the swap.
    function act(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    function swap(SingleSwap calldata single, FundManagement calldata funds, uint256, uint256)
        external
        payable
        returns (uint256)
    {
        if (_target != address(0)) (succeeded,) = _target.call(_data);
        if (taken != 0) TestToken(single.assetIn).transferFrom(msg.sender, address(this), taken);
        if (paid != 0) TestToken(single.assetOut).transfer(funds.recipient, paid);
        return claims;
    }
}
