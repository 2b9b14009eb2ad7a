// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @title A double of a staking manager that unstakes at once, paid by its pool. For tests only: anyone may call it.
/// @dev Written by us from the formulas in packages/core. The staked token cannot be burnt here, so the manager
/// keeps it, and counts the supply itself.
contract StakingManagerDouble {
    event InstantUnstakeExecuted(
        address indexed user,
        uint256 kHYPEAmount,
        uint256 hypeReceived,
        uint256 kHYPEFee,
        uint256 feeRateBps,
        uint256 kHYPEFeeBurned,
        uint256 kHYPEFeeToTreasury
    );

    address public immutable staked;
    InstantUnstakePoolDouble public instantUnstakePool = new InstantUnstakePoolDouble();
    uint256 public minWithdrawalAmount;
    uint256 public totalHype = 1e36;
    uint256 public totalStaked = 1e36;
    /// @dev Gas that an unstaking uses in addition, as the original does.
    uint256 public work;

    error BelowMinimum();

    constructor(address staked_) {
        staked = staked_;
    }

    function setTotals(uint256 hype, uint256 supply) external {
        (totalHype, totalStaked) = (hype, supply);
    }

    function setWork(uint256 work_) external {
        work = work_;
    }

    function setMinWithdrawalAmount(uint256 amount) external {
        minWithdrawalAmount = amount;
    }

    function setInstantUnstakePool(InstantUnstakePoolDouble pool) external {
        instantUnstakePool = pool;
    }

    function rate() public view returns (uint256) {
        return totalHype * 1e18 / totalStaked;
    }

    /// @notice Takes the staked token by an approval. Half of the fee is burnt, which raises the rate.
    function instantUnstake(uint256 kHYPEAmount, uint256 minHYPEOut) external {
        if (kHYPEAmount < minWithdrawalAmount) revert BelowMinimum();
        for (uint256 end = gasleft() - work; gasleft() > end;) {}
        (uint256 hype, uint256 fee, uint256 feeRate,) = instantUnstakePool.previewInstantUnstake(kHYPEAmount);
        Tokens.pullFromSender(staked, address(this), kHYPEAmount);
        totalHype -= hype;
        totalStaked -= kHYPEAmount - fee + fee / 2;
        instantUnstakePool.transferFromBuffer(msg.sender, hype, minHYPEOut);
        emit InstantUnstakeExecuted(msg.sender, kHYPEAmount, hype, fee, feeRate, fee - fee / 2, fee / 2);
    }
}

/// @title The pool of native tokens, all of which it pays out. For tests only.
contract InstantUnstakePoolDouble {
    StakingManagerDouble public immutable manager = StakingManagerDouble(msg.sender);
    uint256 public instantUnstakeFeeRate;
    /// @dev Added to each answer of the preview, so that it differs from the formula.
    uint256 public surplus;

    error InsufficientBuffer();

    receive() external payable {}

    function setInstantUnstakeFeeRate(uint256 feeRate) external {
        instantUnstakeFeeRate = feeRate;
    }

    function setSurplus(uint256 surplus_) external {
        surplus = surplus_;
    }

    /// @notice Sends `amount` to its caller, so that the buffer is smaller.
    function drain(uint256 amount) external {
        _send(msg.sender, amount);
    }

    function getEffectiveBuffer() public view returns (uint256) {
        return address(this).balance;
    }

    function previewInstantUnstake(uint256 kHYPEAmount)
        external
        view
        returns (uint256 hypeAmount, uint256 kHYPEFee, uint256 feeRateBps, bool bufferSufficient)
    {
        feeRateBps = instantUnstakeFeeRate;
        kHYPEFee = kHYPEAmount * feeRateBps / 1e4;
        hypeAmount = (kHYPEAmount - kHYPEFee) * manager.rate() / 1e18 + surplus;
        bufferSufficient = hypeAmount <= getEffectiveBuffer();
    }

    function transferFromBuffer(address user, uint256 hypeAmount, uint256 minHYPEOut) external {
        if (hypeAmount < minHYPEOut || hypeAmount > getEffectiveBuffer()) revert InsufficientBuffer();
        _send(user, hypeAmount);
    }

    function _send(address to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        if (!ok) revert InsufficientBuffer();
    }
}
