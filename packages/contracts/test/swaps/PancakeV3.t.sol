// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PancakeV3PoolDeployer} from "../../src/testing/PancakeV3PoolDeployer.sol";
import {IV3Factory, IV3Pool} from "../base/Amm.sol";
import {Base} from "../base/Base.sol";

/// @title The V3 hop against real PancakeSwap pools, which use another name for the callback.
contract PancakeV3Test is Base {
    string private constant ARTIFACTS = "node_modules/@pancakeswap/v3-core/artifacts/contracts/";

    address internal pool;

    function setUp() public override {
        super.setUp();
        bytes memory poolCode = readCode(string.concat(ARTIFACTS, "PancakeV3Pool.sol/PancakeV3Pool.json"));
        address deployer = address(new PancakeV3PoolDeployer(poolCode));
        bytes memory code = readCode(string.concat(ARTIFACTS, "PancakeV3Factory.sol/PancakeV3Factory.json"));
        pool = IV3Factory(deploy(code, abi.encode(deployer))).createPool(a, b, 2500);
        IV3Pool(pool).initialize(PRICE_ONE);
        addV3(pool, 6000, 10_000e18);
        addV3(pool, 600, 10_000e18);
        fund(alice, a, 1e30);
        fund(alice, b, 1e30);
    }

    function pancakeV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        give(a < b ? a : b, msg.sender, owed0);
        give(a < b ? b : a, msg.sender, owed1);
    }

    function pancakeV3SwapCallback(int256 x, int256 y, bytes calldata) external pure {
        undo(x, y);
    }

    /// Pays exactly the pool's own result, to the wei, in both directions, across ticks.
    function testFuzz_paysWhatThePoolPays(uint256 amountIn, bool reverse) public {
        (address from, address to) = reverse ? (b, a) : (a, b);
        amountIn = bound(amountIn, 1e3, 3_000e18);
        uint256 expected = quoteV3(pool, from, amountIn);
        uint256 before = balance(to, alice);
        assertEq(swap(from, amountIn, to, hopV3(pool, from)), expected);
        assertEq(balance(to, alice) - before, expected);
        assertEmpty();
    }
}
