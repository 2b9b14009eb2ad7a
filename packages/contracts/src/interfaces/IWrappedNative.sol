// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The functions of the wrapped native token that router and executor call, besides ERC-20.
interface IWrappedNative {
    function deposit() external payable;

    function withdraw(uint256 amount) external;
}
