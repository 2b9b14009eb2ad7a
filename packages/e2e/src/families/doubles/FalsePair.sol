// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A contract that claims to be a pair of two tokens of a factory, at any price, and trades in every block.
contract FalsePair {
    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to);

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    uint112 private immutable reserve0;
    uint112 private immutable reserve1;
    uint24 public constant fee = 3000;
    int24 public constant tickSpacing = 60;

    constructor(address factory_, address[2] memory tokens, uint112[2] memory reserves) {
        factory = factory_;
        (token0, token1) = (tokens[0], tokens[1]);
        (reserve0, reserve1) = (reserves[0], reserves[1]);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, uint32(block.timestamp));
    }

    function trade() external {
        emit Sync(reserve0, reserve1);
        emit Swap(msg.sender, 1, 0, 0, 1, msg.sender);
    }
}
