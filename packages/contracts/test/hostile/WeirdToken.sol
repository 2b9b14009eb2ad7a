// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The deviations of a token from ERC-20.
enum Oddity {
    None,
    ReturnsNothing,
    ReturnsFalse,
    ReturnsTwo,
    ReturnsShort,
    ReturnsLong,
    LiesAboutMoving,
    TakesFee,
    MovesLess,
    MovesMore,
    Reverts,
    CallsOut,
    BalanceReverts,
    BalanceShort
}

/// @title A token with one oddity of choice; anyone may mint it.
/// @dev Accounts own shares of a supply that `rebase` scales, so balances can change without transfers.
contract WeirdToken {
    Oddity public oddity;
    uint256 public rate = 1e18;
    mapping(address owner => uint256 shares) internal _shares;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;

    address internal _target;
    bytes internal _call;
    bool public calledOut;
    bool public callSucceeded;
    bytes public callReason;

    constructor(Oddity oddity_) {
        oddity = oddity_;
    }

    function setOddity(Oddity oddity_) external {
        oddity = oddity_;
    }

    /// Sets the call that the token makes during every transfer if its oddity is `CallsOut`.
    function setCall(address target, bytes calldata data) external {
        (_target, _call, calledOut, callSucceeded) = (target, data, false, false);
    }

    function rebase(uint256 rate_) external {
        rate = rate_;
    }

    function mint(address to, uint256 amount) external {
        _shares[to] += amount * 1e18 / rate;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function balanceOf(address owner) external view returns (uint256 amount) {
        require(oddity != Oddity.BalanceReverts, "no balance");
        amount = _shares[owner] * rate / 1e18;
        if (oddity == Oddity.BalanceShort) {
            assembly {
                mstore(0, amount)
                return(0, 31)
            }
        }
    }

    /// The true balance, for tests, with any oddity.
    function trueBalanceOf(address owner) external view returns (uint256) {
        return _shares[owner] * rate / 1e18;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
        _answer();
    }

    function transferFrom(address from, address to, uint256 amount) external {
        require(allowance[from][msg.sender] >= amount, "allowance");
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        _answer();
    }

    function _move(address from, address to, uint256 amount) private {
        require(oddity != Oddity.Reverts, "reverts");
        if (oddity == Oddity.ReturnsFalse || oddity == Oddity.LiesAboutMoving) return;
        if (oddity == Oddity.CallsOut && _target != address(0)) {
            calledOut = true;
            (bool ok, bytes memory reason) = _target.call(_call);
            if (ok) callSucceeded = true;
            callReason = reason;
        }
        uint256 taken = amount * 1e18 / rate;
        uint256 given = taken;
        if (oddity == Oddity.TakesFee) given = taken * 99 / 100;
        if (oddity == Oddity.MovesLess) (taken, given) = (taken - 1, given - 1);
        if (oddity == Oddity.MovesMore) given = taken + 1;
        _shares[from] -= taken;
        _shares[to] += given;
    }

    function _answer() private view {
        Oddity odd = oddity;
        uint256 size = 32;
        uint256 word = 1;
        if (odd == Oddity.ReturnsNothing) size = 0;
        if (odd == Oddity.ReturnsShort) size = 31;
        if (odd == Oddity.ReturnsLong) size = 96;
        if (odd == Oddity.ReturnsFalse) word = 0;
        if (odd == Oddity.ReturnsTwo) word = 2;
        assembly {
            mstore(0, word)
            mstore(32, 7)
            mstore(64, 7)
            return(0, size)
        }
    }
}
