// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Approval} from "../libraries/Approval.sol";

/// @title A hop through a pool of Balancer V2, whose vault keeps the tokens and pulls by an approval.
/// @dev A pool names its vault and its id there, and a hostile pool any contract. Such a contract gets
/// what a hostile pool gets: exactly the hop's input, once, and the executor measures the output.
library BalancerV2 {
    /// @notice Swaps exactly `amountIn`; the output goes to `to`.
    /// @dev The vault's own minimum is 0, because the floor of the order limits the price. This contract
    /// has no balances inside the vault, and none arises: both ends of the swap are transfers.
    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn, address to) internal {
        address vault = IBalancerV2Pool(pool).getVault();
        SingleSwap memory single;
        single.poolId = IBalancerV2Pool(pool).getPoolId();
        single.assetIn = tokenIn;
        single.assetOut = tokenOut;
        single.amount = amountIn;
        FundManagement memory funds;
        funds.sender = address(this);
        funds.recipient = to;
        uint256 balance = Approval.give(tokenIn, vault, amountIn);
        IBalancerV2Vault(vault).swap(single, funds, 0, block.timestamp);
        Approval.end(tokenIn, vault, amountIn, balance);
    }
}

/// @dev `kind` 0 is a swap of a given input.
struct SingleSwap {
    bytes32 poolId;
    uint8 kind;
    address assetIn;
    address assetOut;
    uint256 amount;
    bytes userData;
}

struct FundManagement {
    address sender;
    bool fromInternalBalance;
    address recipient;
    bool toInternalBalance;
}

interface IBalancerV2Pool {
    function getVault() external view returns (address);
    function getPoolId() external view returns (bytes32);
}

/// @dev The return value is not read, because the executor measures the output.
interface IBalancerV2Vault {
    function swap(SingleSwap calldata single, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable;
}
