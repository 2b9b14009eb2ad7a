// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IStableSwap} from "../../src/swaps/CurveStableSwap.sol";
import {
    CurveFactoryDouble, StableSwapDouble, StableSwapSettings
} from "../../src/testing/CurveStableSwapDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";

/// @title The hop through Curve StableSwap pools of three coins, against our double.
contract CurveStableSwapTest is Base {
    StableSwapDouble internal ng;
    StableSwapDouble internal plain;

    function setUp() public override {
        super.setUp();
        address[] memory coins = new address[](3);
        (coins[0], coins[1], coins[2]) = (a, b, c);
        uint256[] memory rates = new uint256[](3);
        for (uint256 k = 0; k < 3; k++) rates[k] = 1e18;
        CurveFactoryDouble factory = new CurveFactoryDouble();
        StableSwapSettings memory settings = StableSwapSettings(200_00, 100, 4e6, 2e10, 5e9);
        ng = StableSwapDouble(factory.create(coins, rates, true, settings));
        settings = StableSwapSettings(200, 1, 4e6, 0, 5e9);
        plain = StableSwapDouble(factory.create(coins, rates, false, settings));
        for (uint256 k = 0; k < 3; k++) {
            give(coins[k], address(ng), 1e24);
            give(coins[k], address(plain), 1e24);
            fund(alice, coins[k], 1e30);
        }
        ng.fill();
        plain.fill();
    }

    function hop(address pool, uint8 i, uint8 j) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.curve(0, 1, 0, pool, i, j));
    }

    /// The only selector that is called, computed from the signature in Curve's contracts.
    function test_callsTheExchangeOfCurve() public pure {
        assertEq(IStableSwap.exchange.selector, bytes4(keccak256("exchange(int128,int128,uint256,uint256)")));
    }

    /// Pays exactly the pool's quote, between any two coins; no approval remains.
    function testFuzz_paysWhatThePoolQuotes(uint256 amountIn, uint8 from, uint8 step, bool isNg) public {
        amountIn = bound(amountIn, 1e6, 1e25);
        (uint8 i, uint8 j) = (from % 3, (from % 3 + 1 + step % 2) % 3);
        StableSwapDouble pool = isNg ? ng : plain;
        (address tokenIn, address tokenOut) = (pool.coins(i), pool.coins(j));
        uint256 expected = pool.get_dy(int128(uint128(i)), int128(uint128(j)), amountIn);
        bytes memory program = hop(address(pool), i, j);
        vm.expectCall(tokenIn, abi.encodeCall(TestToken.approve, (address(pool), amountIn)), 1);
        vm.expectCall(tokenIn, abi.encodeCall(TestToken.approve, (address(pool), 0)), 1);
        assertEq(swap(tokenIn, amountIn, tokenOut, program), expected);
        assertEq(TestToken(tokenIn).allowance(address(executor), address(pool)), 0, "still approved");
        assertEq(balance(tokenIn, address(executor)), 0);
        assertEq(balance(tokenOut, address(executor)), 0);
    }

    /// A route through one pool by two pairs: the second sees the balances that the first leaves.
    function test_entersOnePoolByTwoPairs() public {
        uint256 middle = ng.get_dy(0, 1, 1e23);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.curve(0, 2, 0, address(ng), 0, 1),
            Program.curve(2, 1, 0, address(ng), 1, 2)
        );
        uint256 id = vm.snapshotState();
        vm.startPrank(alice);
        TestToken(a).approve(address(ng), 1e23);
        TestToken(b).approve(address(ng), middle);
        ng.exchange(0, 1, 1e23, 0);
        uint256 expected = ng.exchange(1, 2, middle, 0);
        vm.stopPrank();
        vm.revertToState(id);
        assertEq(swap(a, 1e23, c, program), expected);
    }

    /// Indices of other coins than the hop's tokens: the pool takes or pays none of them.
    function test_refusesIndicesOfOtherCoins() public {
        bytes memory program = hop(address(ng), 0, 2);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(ng), b, 0, 0));
        swap(a, 1e18, b, program);
        program = hop(address(ng), 1, 2);
        vm.expectRevert();
        swap(a, 1e18, c, program);
        program = hop(address(ng), 1, 1);
        vm.expectRevert(abi.encodeWithSelector(StableSwapDouble.WrongCoins.selector, int128(1), int128(1)));
        swap(b, 1e18, c, program);
        program = hop(address(ng), 3, 15);
        vm.expectRevert(abi.encodeWithSelector(StableSwapDouble.WrongCoins.selector, int128(3), int128(15)));
        swap(b, 1e18, c, program);
    }
}
