// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FundManagement, SingleSwap} from "../../src/swaps/BalancerV2.sol";
import {TestToken} from "../../src/testing/TestToken.sol";

/// @title A double of Balancer V2's vault: swaps that pull their input by an approval, by pool id.
/// @dev Its pools have two tokens and the constant-product formula. The end-to-end tests use the real vault.
contract BalancerV2Vault {
    mapping(bytes32 => mapping(address => uint256)) public balances;
    mapping(address => uint256) private _reserves;
    uint256 private _count;

    /// @notice A pool whose tokens were sent here before.
    function create(address x, address y) external returns (BalancerV2Pool pool) {
        pool = new BalancerV2Pool(_count++);
        address[2] memory tokens = [x, y];
        for (uint256 i = 0; i < 2; i++) {
            uint256 held = TestToken(tokens[i]).balanceOf(address(this));
            balances[pool.getPoolId()][tokens[i]] = held - _reserves[tokens[i]];
            _reserves[tokens[i]] = held;
        }
    }

    function quote(bytes32 poolId, address tokenIn, address tokenOut, uint256 amountIn) public view returns (uint256) {
        (uint256 x, uint256 y) = (balances[poolId][tokenIn], balances[poolId][tokenOut]);
        require(x != 0 && y != 0, "BAL#521");
        return y * amountIn / (x + amountIn);
    }

    function swap(SingleSwap calldata single, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256 amountOut)
    {
        require(block.timestamp <= deadline, "BAL#508");
        require(funds.sender == msg.sender, "BAL#401");
        require(single.kind == 0 && limit == 0 && single.userData.length == 0, "not a given input");
        require(!funds.fromInternalBalance && !funds.toInternalBalance, "an internal balance");
        require(single.assetIn != single.assetOut, "BAL#509");
        amountOut = quote(single.poolId, single.assetIn, single.assetOut, single.amount);
        balances[single.poolId][single.assetIn] += single.amount;
        balances[single.poolId][single.assetOut] -= amountOut;
        _reserves[single.assetIn] += single.amount;
        _reserves[single.assetOut] -= amountOut;
        TestToken(single.assetIn).transferFrom(funds.sender, address(this), single.amount);
        TestToken(single.assetOut).transfer(funds.recipient, amountOut);
    }
}

/// @title A pool of the double; the vault has its tokens and its formula.
contract BalancerV2Pool {
    address public immutable getVault = msg.sender;
    bytes32 public immutable getPoolId;

    constructor(uint256 nonce) {
        getPoolId = bytes32((uint256(uint160(address(this))) << 96) | nonce);
    }
}
