// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title An ERC-20 that anyone may mint. For tests only.
/// @dev `initialize` names it once after deployment, so its runtime code can be placed at any address.
contract TestToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    /// @notice `initialize` was already called.
    error AlreadyInitialized();
    /// @notice The balance of `owner` is less than `amount`.
    error BalanceTooLow(address owner, uint256 balance, uint256 amount);
    /// @notice The allowance of `spender` from `owner` is less than `amount`.
    error AllowanceTooLow(address owner, address spender, uint256 allowance, uint256 amount);

    string public name;
    string public symbol;
    uint8 public decimals;
    bool public initialized;
    uint256 public totalSupply;
    mapping(address owner => uint256 amount) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Sets name, symbol and decimals; works once.
    function initialize(string calldata name_, string calldata symbol_, uint8 decimals_) external {
        if (initialized) revert AlreadyInitialized();
        initialized = true;
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    /// @notice Mints `amount` for `to`; anyone may call it.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    /// @notice An allowance of `type(uint256).max` is not reduced.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < amount) revert AllowanceTooLow(from, msg.sender, allowed, amount);
            allowance[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 balance = balanceOf[from];
        if (balance < amount) revert BalanceTooLow(from, balance, amount);
        balanceOf[from] = balance - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
