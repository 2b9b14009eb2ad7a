// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token with all that pools and wallets use, whose heirs differ in how it moves.
abstract contract PlainToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public symbol;
    string public name;
    uint8 public decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(string memory symbol_, string memory name_) {
        (symbol, name) = (symbol_, name_);
    }

    function balanceOf(address owner) external view virtual returns (uint256) {
        return held[owner];
    }

    function mint(address to, uint256 amount) external {
        held[to] += amount;
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

    function _move(address from, address to, uint256 amount) internal virtual;
}
