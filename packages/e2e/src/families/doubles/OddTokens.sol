// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token anyone may mint, as sound as any; the others differ from it in how they move.
contract OddToken {
    string public symbol = "ODD";
    string public name = "Odd token";
    uint8 public decimals = 18;
    mapping(address => uint256) internal _held;

    function mint(address to, uint256 amount) external {
        _held[to] += amount;
    }

    function balanceOf(address owner) public view virtual returns (uint256) {
        return _held[owner];
    }

    function transfer(address to, uint256 amount) external virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        _held[from] -= amount;
        _held[to] += amount;
    }
}

/// @title Keeps a hundredth of a percent of every transfer.
contract FeeToken is OddToken {
    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _held[to] -= amount / 10_000;
    }
}

/// @title Keeps a tenth of what is sent into a contract, which is how it is sold.
contract SaleFeeToken is OddToken {
    address public pool;

    function setPool(address to) external {
        pool = to;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        super._move(from, to, amount);
        if (to == pool) _held[to] -= amount / 10;
    }
}

/// @title Takes a fee from the sender on top of what it sends.
contract SenderFeeToken is OddToken {
    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _held[from] -= 1e6;
    }
}

/// @title Can be bought and not sold.
contract TrapToken is SaleFeeToken {
    function _move(address from, address to, uint256 amount) internal override {
        require(to != pool, "not today");
        super._move(from, to, amount);
    }
}

/// @title Moves nothing for anybody.
contract PausedToken is OddToken {
    function _move(address, address, uint256) internal pure override {
        revert();
    }
}

/// @title Moves nothing, and says so where others revert.
contract FalseToken is OddToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return false;
    }
}

/// @title Counts in shares under a name of its own; what is sent arrives rounded.
contract RoundingToken is OddToken {
    uint256 internal constant RATE = 1_100_000_000_000_000_007;

    function balanceOf(address owner) public view override returns (uint256) {
        return (_held[owner] * RATE) / 1e18;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, (amount * 1e18) / RATE);
    }
}

/// @title Counts in shares that are worth a round two each, so that transfers are exact.
contract SharesToken is OddToken {
    function sharesOf(address owner) external view returns (uint256) {
        return _held[owner];
    }

    function balanceOf(address owner) public view override returns (uint256) {
        return 2 * _held[owner];
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount / 2);
    }
}

/// @title The wrapper of a token in shares: a share is a share.
contract WrapperToken is OddToken {
    function sharesOf(address owner) external view returns (uint256) {
        return _held[owner];
    }
}

/// @title The same, over shares that have six digits more than balances, the last of them not zero.
contract FineWrapperToken is OddToken {
    function sharesOf(address owner) external view returns (uint256) {
        return _held[owner] * 1e6 + 123_457;
    }
}

/// @title Answers nothing to a transfer, as old tokens do.
contract SilentToken {
    string public symbol = "SILENT";
    string public name = "Silent token";
    uint8 public decimals = 6;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }
}
