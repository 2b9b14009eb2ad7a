// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {ILBPair} from "../../src/swaps/LiquidityBook.sol";
import {LiquidityBookDouble} from "../../src/testing/LiquidityBookDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title The hop through Liquidity Book pairs, against our double.
contract LiquidityBookTest is Base {
    LiquidityBookDouble internal pair;
    LiquidityBookDouble internal second;
    HostilePool internal hostile;

    function setUp() public override {
        super.setUp();
        pair = LiquidityBookDouble(createBins(a, b, 1e22));
        second = LiquidityBookDouble(createBins(c, b, 1e22));
        hostile = new HostilePool();
        fund(alice, a, 1e30);
        fund(alice, b, 1e30);
    }

    function hop(address target, bool swapForY) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.liquidityBook(0, 1, 0, target, swapForY));
    }

    function quote(LiquidityBookDouble target, uint256 amountIn, bool swapForY) private view returns (uint256) {
        (uint128 left, uint128 amountOut,) = target.getSwapOut(uint128(amountIn), swapForY);
        return left == 0 ? amountOut : 0;
    }

    /// The only selector that is called, computed from the signature in Liquidity Book's contracts.
    function test_callsTheSwapOfLiquidityBook() public pure {
        assertEq(ILBPair.swap.selector, bytes4(keccak256("swap(bool,address)")));
    }

    /// Pays exactly the pair's quote, both ways and over many bins; the pair is the payee of the call.
    function testFuzz_paysWhatThePairQuotes(uint256 amountIn, bool swapForY, uint256 wait) public {
        amountIn = bound(amountIn, 1e4, 2e23);
        (address from, address to) = swapForY ? (a, b) : (b, a);
        swap(from, 3e22, to, hop(address(pair), swapForY));
        vm.warp(block.timestamp + bound(wait, 0, 700));
        uint256 expected = quote(pair, amountIn, swapForY);
        bytes memory program = hop(address(pair), swapForY);
        vm.expectCall(from, abi.encodeCall(TestToken.transferFrom, (alice, address(pair), amountIn)), 1);
        if (expected == 0) vm.expectRevert();
        uint256 paid = swap(from, amountIn, to, program);
        if (expected == 0) return;
        assertEq(paid, expected);
        assertEmpty();
    }

    /// Paid by a pair, by another pair of bins, and paying a pair: nothing passes the executor.
    function test_passesFromPoolToPool() public {
        uint256 id = vm.snapshotState();
        uint256 middle = swap(a, 1e18, b, hop(address(pair), true));
        uint256 expected = quote(second, middle, false);
        vm.revertToState(id);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.liquidityBook(0, 2, 0, address(pair), true),
            Program.liquidityBook(2, 1, 0, address(second), false)
        );
        vm.expectCall(address(pair), abi.encodeCall(ILBPair.swap, (true, address(second))), 1);
        assertEq(swap(a, 1e18, c, program), expected);
        vm.revertToState(id);
        program = bytes.concat(
            Program.table(b),
            Program.liquidityBook(0, 2, 0, address(pair), true),
            Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000)
        );
        expected = quoteV2(pairBC, b, middle);
        vm.expectCall(address(pair), abi.encodeCall(ILBPair.swap, (true, pairBC)), 1);
        assertEq(swap(a, 1e18, c, program), expected);
        vm.revertToState(id);
        middle = quoteV2(pairAB, a, 1e18);
        expected = quote(second, middle, false);
        program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, 0, pairAB, isZero(pairAB, a), 3000),
            Program.liquidityBook(2, 1, 0, address(second), false)
        );
        vm.expectCall(b, abi.encodeCall(TestToken.transfer, (address(second), middle)), 1);
        assertEq(swap(a, 1e18, c, program), expected);
        assertEmpty();
    }

    /// A part of the amount goes through the executor.
    function test_takesAPart() public {
        uint256 part = 1e18 * uint256(Program.HALF) / 0xFFFFFF;
        uint256 expected = quote(pair, part, true) + quoteV2(pairAB, a, 1e18 - part);
        bytes memory program = bytes.concat(
            Program.table(),
            Program.liquidityBook(0, 1, Program.HALF, address(pair), true),
            Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000)
        );
        vm.expectCall(a, abi.encodeCall(TestToken.transfer, (address(pair), part)), 1);
        assertEq(swap(a, 1e18, b, program), expected);
        assertEmpty();
    }

    /// A pair that is paid directly swaps what arrives of a token in with a transfer fee, and the floor decides.
    function test_takesATokenInWithAFee() public {
        WeirdToken fee = new WeirdToken(Oddity.TakesFee);
        pair = LiquidityBookDouble(createBins(address(fee), b, 1e22));
        fund(alice, address(fee), 1e18);
        bytes memory program = hop(address(pair), true);
        uint256 paid = quote(pair, 0.99e18, true);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, paid + 1, paid));
        router.swap(order(address(fee), 1e18, b, paid + 1, alice, block.timestamp, program), program);
        assertEq(swap(address(fee), 1e18, b, program), paid);
    }

    /// The wrong direction finds nothing that was paid.
    function test_refusesTheOtherDirection() public {
        bytes memory program = hop(address(pair), false);
        vm.expectRevert(LiquidityBookDouble.InsufficientAmountIn.selector);
        swap(a, 1e18, b, program);
    }

    function test_refusesMoreThanTheBinsTake() public {
        bytes memory program = hop(address(pair), true);
        vm.expectRevert(LiquidityBookDouble.OutOfLiquidity.selector);
        swap(a, 1e24, b, program);
    }

    /// A gift to the pair is swapped with the next amount: its caller gets more, and nobody gets less.
    function test_givesAGiftToTheNextCaller() public {
        give(a, address(pair), 1e18);
        uint256 expected = quote(pair, 3e18, true);
        assertEq(swap(a, 2e18, b, hop(address(pair), true)), expected);
        assertEmpty();
    }

    /// A pool that takes the amount and pays nothing, or claims an output that it did not pay.
    function test_refusesWhatPaysNothing() public {
        bytes memory program = hop(address(hostile), true);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, 1e18, b, program);
        program = bytes.concat(
            Program.table(b),
            Program.liquidityBook(0, 2, 0, address(hostile), true),
            Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000)
        );
        uint256 held = balance(b, pairBC);
        vm.expectRevert(
            abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, held, held)
        );
        swap(a, 1e18, c, program);
    }

    /// A pool that swaps the next pair's payment away while it pays it: its caller reverts.
    function test_refusesWhatTakesTheNextPayment() public {
        give(b, address(hostile), 1e18);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(second), 1e18)));
        hostile.add(address(second), abi.encodeCall(LiquidityBookDouble.swap, (false, bob)));
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.liquidityBook(0, 2, 0, address(hostile), true),
            Program.liquidityBook(2, 1, 0, address(second), false)
        );
        vm.expectRevert(LiquidityBookDouble.InsufficientAmountIn.selector);
        swap(a, 1e18, c, program);
        assertEq(balance(a, alice), 1e30);
    }
}
