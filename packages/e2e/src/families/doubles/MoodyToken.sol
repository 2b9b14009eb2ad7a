// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PlainToken} from "./PlainToken.sol";

interface IPair {
    function skim(address to) external;
}

/// @title A correct token whose owner changes its behaviour later, with a log or without one.
contract MoodyToken is PlainToken("MOOD", "Moody token") {
    event Paused(address account);

    enum Mood {
        Good,
        // Every transfer reverts.
        Paused,
        // A twentieth of every amount above the limit, rounded up, stays nowhere.
        Taxed,
        // Transfers from or to the subject revert.
        RefusesSubject,
        // Transfers above the limit revert.
        LimitsLargest,
        // A transfer to a contract takes what was paid to the subject, a pair, before its swap.
        Skims,
        // Every balance is half of what it was.
        Shrunk,
        // Transfers use all gas that they are given.
        Burns
    }

    Mood public mood;
    address public subject;
    uint256 public limit;

    function balanceOf(address owner) external view override returns (uint256) {
        return mood == Mood.Shrunk ? held[owner] / 2 : held[owner];
    }

    function setMood(Mood mood_, address subject_, uint256 limit_) external {
        (mood, subject, limit) = (mood_, subject_, limit_);
    }

    function announce() external {
        emit Paused(msg.sender);
    }

    /// @notice Takes tokens out of any account, such as a pair, which accounts by its reserves.
    function burn(address from, uint256 amount) external {
        held[from] -= amount;
        totalSupply -= amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(mood != Mood.Paused, "paused");
        if (mood == Mood.Burns) {
            assembly {
                invalid()
            }
        }
        require(mood != Mood.RefusesSubject || (from != subject && to != subject), "refused");
        require(mood != Mood.LimitsLargest || amount <= limit, "too large");
        if (mood == Mood.Skims && to.code.length > 0) IPair(subject).skim(address(this));
        uint256 tax = mood == Mood.Taxed && amount > limit ? (amount + 19) / 20 : 0;
        uint256 moved = mood == Mood.Shrunk ? 2 * amount : amount;
        held[from] -= moved;
        held[to] += moved - tax;
        emit Transfer(from, to, amount - tax);
    }
}
