// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title What the router asks of the wrapped native token beyond ERC-20.
interface IWrappedNative {
    function deposit() external payable;

    function withdraw(uint256 amount) external;
}
