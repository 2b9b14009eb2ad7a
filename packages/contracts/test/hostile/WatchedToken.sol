// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title An honest ERC-20 with permits that records all pulls.
contract WatchedToken {
    uint8 public constant decimals = 18;
    mapping(address owner => uint256 amount) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;

    address public router;
    address public executor;
    address public payer;
    /// The only allowed target of a pull; 0 if unknown.
    address public payee;
    mapping(address owner => uint256 nonce) public nonces;
    /// The spender that the executor approved last; its allowance must end at 0.
    address public executorSpender;
    /// Amount and number of the pulls by the router and Permit2 since `expect`.
    uint256 public pulled;
    uint256 public pulls;
    bool public wrongPayer;
    bool public executorPulled;
    bool public routerApproved;

    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    constructor(address router_, address executor_) {
        (router, executor) = (router_, executor_);
    }

    function expect(address payer_, address payee_) external {
        (payer, payee, pulled, pulls) = (payer_, payee_, 0, 0);
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        if (msg.sender == router) routerApproved = true;
        if (msg.sender == executor) executorSpender = spender;
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
        if (msg.sender == router || msg.sender == PERMIT2) {
            if (from != payer || (payee != address(0) && to != payee)) wrongPayer = true;
            (pulls, pulled) = (pulls + 1, pulled + amount);
        }
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    /// As in EIP-2612, except for a simpler digest.
    function permit(
        address owner,
        address spender,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 digest = permitDigest(owner, spender, amount, deadline);
        require(block.timestamp <= deadline && ecrecover(digest, v, r, s) == owner, "permit");
        nonces[owner]++;
        allowance[owner][spender] = amount;
    }

    function permitDigest(address owner, address spender, uint256 amount, uint256 deadline)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(this, owner, spender, amount, nonces[owner], deadline));
    }

    function executorAllows() external view returns (bool) {
        return routerApproved || allowance[executor][executorSpender] != 0;
    }
}
