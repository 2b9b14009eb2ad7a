// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title An honest ERC-20 that writes down who pulls what from whom.
contract WatchedToken {
    mapping(address owner => uint256 amount) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;

    address public router;
    address public executor;
    address public payer;
    /// Amount and number of the router's pulls since `expect`.
    uint256 public pulled;
    uint256 public pulls;
    bool public wrongPayer;
    bool public executorPulled;
    bool public executorApproved;

    constructor(address router_, address executor_) {
        (router, executor) = (router_, executor_);
    }

    function expect(address payer_) external {
        (payer, pulled, pulls) = (payer_, 0, 0);
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        if (msg.sender == executor || msg.sender == router) executorApproved = true;
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (msg.sender == executor) executorPulled = true;
        if (msg.sender == router) {
            if (from != payer || to != executor) wrongPayer = true;
            (pulls, pulled) = (pulls + 1, pulled + amount);
        }
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}
