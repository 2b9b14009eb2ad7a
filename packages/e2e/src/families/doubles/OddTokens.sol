// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A correct token that anyone may mint; the other tokens differ from it in their transfers.
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

/// @title Keeps a tenth of every transfer into a contract, and so of every sale.
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

/// @title Takes a fee from the sender on top of the amount.
contract SenderFeeToken is OddToken {
    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _held[from] -= 1e6;
    }
}

/// @title Can be bought but not sold.
contract TrapToken is SaleFeeToken {
    function _move(address from, address to, uint256 amount) internal override {
        require(to != pool, "not today");
        super._move(from, to, amount);
    }
}

/// @title Every transfer reverts.
contract PausedToken is OddToken {
    function _move(address, address, uint256) internal pure override {
        revert();
    }
}

/// @title Every transfer returns false instead of a revert.
contract FalseToken is OddToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return false;
    }
}

/// @title Counts in shares, with its own function names; the amount that arrives is rounded.
contract RoundingToken is OddToken {
    uint256 internal constant RATE = 1_100_000_000_000_000_007;

    function balanceOf(address owner) public view override returns (uint256) {
        return (_held[owner] * RATE) / 1e18;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, (amount * 1e18) / RATE);
    }
}

/// @title Counts in shares worth exactly two each, so transfers are exact.
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

/// @title The wrapper of a token that counts in shares: one wrapped token is one share.
contract WrapperToken is OddToken {
    function sharesOf(address owner) external view returns (uint256) {
        return _held[owner];
    }
}

/// @title The same for shares with six more digits than balances, the last digits not zero.
contract FineWrapperToken is OddToken {
    function sharesOf(address owner) external view returns (uint256) {
        return _held[owner] * 1e6 + 123_457;
    }
}

/// @title Returns nothing from a transfer, like old tokens.
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
