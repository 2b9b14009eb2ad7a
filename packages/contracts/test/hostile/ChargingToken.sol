// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token that charges the sender of a transfer 1 % on top of the amount; anyone may mint it.
contract ChargingToken {
    mapping(address owner => uint256 amount) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function chargeOn(uint256 amount) public pure returns (uint256) {
        return amount / 100;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount + chargeOn(amount);
        balanceOf[to] += amount;
        return true;
    }
}
