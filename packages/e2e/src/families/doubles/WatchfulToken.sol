// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A correct token that behaves where it takes a call for a simulation, and refuses or taxes every other transfer.
contract WatchfulToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// What tells it of a simulation.
    enum Sign {
        // Gas costs nothing.
        FreeGas,
        // The block has no base fee.
        NoBaseFee,
        // Nobody sends the transaction.
        NoOrigin,
        // The sender has no native token.
        NoBalance,
        // The sender is not the subject.
        OtherOrigin,
        // There is more gas than a swap needs.
        MuchGas,
        // An end of the transfer has the code of a proxy, as the accounts of a test have, or none.
        ShortCode,
        // The number of the block is even.
        EvenBlock
    }

    string public symbol = "WATCH";
    string public name = "Watchful token";
    uint8 public decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    Sign private immutable sign;
    address private immutable subject;
    /// Of a thousand, what it keeps; 1000: it refuses.
    uint256 private immutable tax;
    address private immutable owner = msg.sender;

    constructor(Sign sign_, address subject_, uint256 tax_) {
        (sign, subject, tax) = (sign_, subject_, tax_);
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        bool isKind = tx.origin == owner || _isSimulation(from, to);
        require(isKind || tax < 1000, "refused");
        uint256 kept = isKind ? 0 : (amount * tax) / 1000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - kept;
        emit Transfer(from, to, amount - kept);
    }

    function _isSimulation(address from, address to) private view returns (bool) {
        if (sign == Sign.FreeGas) return tx.gasprice == 0;
        if (sign == Sign.NoBaseFee) return block.basefee == 0;
        if (sign == Sign.NoOrigin) return tx.origin == address(0);
        if (sign == Sign.NoBalance) return tx.origin.balance == 0;
        if (sign == Sign.OtherOrigin) return tx.origin != subject;
        if (sign == Sign.MuchGas) return gasleft() > 6_000_000;
        if (sign == Sign.EvenBlock) return block.number % 2 == 0;
        return from.code.length <= 45 || to.code.length <= 45;
    }
}
