// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {CamelotFactoryDouble, CamelotPairDouble} from "../../src/testing/CamelotDouble.sol";
import {SolidlyFactoryDouble} from "../../src/testing/SolidlyDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

interface IQuotingPair {
    function token0() external view returns (address);
    function mint(address to) external;
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

/// @title The hop through pairs that quote on chain, against our doubles.
contract SolidlyTest is Base {
    SolidlyFactoryDouble[3] internal factories;
    HostilePool internal hostile;

    function setUp() public override {
        super.setUp();
        for (uint256 kind = 0; kind < 3; kind++) factories[kind] = new SolidlyFactoryDouble(kind);
        hostile = new HostilePool();
        TestToken(a).initialize("A", "A", 18);
        TestToken(b).initialize("B", "B", 18);
        fund(alice, a, 1e40);
        fund(alice, b, 1e40);
    }

    function hop(address pool, bool zeroForOne) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.solidly(0, 1, 0, pool, zeroForOne));
    }

    function createPair(uint256 kind, bool stable, uint256 amountA, uint256 amountB)
        private
        returns (address pair)
    {
        pair = kind == 3 ? createCamelot(stable) : factories[kind].createPair(a, b, stable);
        give(a, pair, amountA);
        give(b, pair, amountB);
        IQuotingPair(pair).mint(alice);
    }

    function createCamelot(bool stable) private returns (address pair) {
        pair = new CamelotFactoryDouble().createPair(a, b);
        CamelotPairDouble(pair).setStableSwap(stable);
    }

    /// A stable pair that refuses its own quote for 11784148580 of its token 0.
    function createUnsteadyPair(address x, address y) private returns (address pair) {
        pair = factories[0].createPair(x, y, true);
        factories[0].setCustomFee(pair, 1);
        give(x, pair, 322350512311571968);
        give(y, pair, 3300756167014005760);
        IQuotingPair(pair).mint(alice);
    }

    function accepts(address pair, address tokenIn, uint256 amountIn, uint256 amountOut)
        private
        returns (bool accepted)
    {
        uint256 id = vm.snapshotState();
        give(tokenIn, pair, amountIn);
        bool zeroForOne = isZero(pair, tokenIn);
        (uint256 out0, uint256 out1) = zeroForOne ? (uint256(0), amountOut) : (amountOut, uint256(0));
        try IQuotingPair(pair).swap(out0, out1, bob, "") {
            accepted = true;
        } catch {}
        vm.revertToState(id);
    }

    /// Pays exactly the quote, or one wei less if the pair rejects its own quote, for every kind of pair.
    function testFuzz_paysWhatThePairQuotes(
        uint256 kind,
        bool stable,
        uint256 reserveA,
        uint256 reserveB,
        uint256 amountIn,
        bool reverse
    ) public {
        reserveA = bound(reserveA, 10e18, 1e27);
        address pair = createPair(
            bound(kind, 0, 3), stable, reserveA, bound(reserveB, reserveA / 10, reserveA * 10)
        );
        (address from, address to) = reverse ? (b, a) : (a, b);
        amountIn = bound(amountIn, 1e6, 1e28);
        uint256 expected = IQuotingPair(pair).getAmountOut(amountIn, from);
        if (!accepts(pair, from, amountIn, expected)) expected -= 1;
        vm.assume(expected > 0 && accepts(pair, from, amountIn, expected));
        assertEq(swap(from, amountIn, to, hop(pair, isZero(pair, from))), expected);
        assertEmpty();
    }

    /// A state in which the first Solidly quotes a wei more than it pays.
    function test_takesAWeiLessWhereThePairRefusesItsQuote() public {
        (address x, address y) = a < b ? (a, b) : (b, a);
        address pair = createUnsteadyPair(x, y);
        uint256 amountIn = 11784148580;
        assertEq(IQuotingPair(pair).getAmountOut(amountIn, x), 41237446871);
        assertFalse(accepts(pair, x, amountIn, 41237446871));
        assertEq(swap(x, amountIn, y, hop(pair, true)), 41237446870);
        assertEmpty();
    }

    /// Two hops through one pair: a payment of the pair to itself would be lost to the swap.
    function test_neverPassesOnToTheSamePair() public {
        address pair = createPair(0, false, 1_000e18, 1_000e18);
        bool ab = isZero(pair, a);
        bytes memory program = bytes.concat(
            Program.table(b, a),
            Program.solidly(0, 2, 0, pair, ab),
            Program.solidly(2, 3, 0, pair, !ab),
            Program.v2(3, 1, 0, pairAB, isZero(pairAB, a), 3000)
        );
        assertGt(swap(a, 1e18, b, program), 0);
        assertEmpty();
    }

    /// On the way to another pair, the second attempt pays that pair too, which needs its input.
    function test_takesAWeiLessOnTheWayToAPair() public {
        (address x, address y) = a < b ? (a, b) : (b, a);
        address pair = createUnsteadyPair(x, y);
        address next = createV2(y, 1_000e18, c, 1_000e18);
        uint256 expected = quoteV2(next, y, 41237446870);
        bytes memory program = bytes.concat(
            Program.table(y),
            Program.solidly(0, 2, 0, pair, true),
            Program.v2(2, 1, 0, next, isZero(next, y), 3000)
        );
        assertEq(swap(x, 11784148580, c, program), expected);
        assertEmpty();
    }

    /// If the pair rejects both attempts, the swap reverts with the pair's reason.
    function test_refusesWhatThePairRefuses() public {
        address pair = createPair(0, true, 1e24, 1e24);
        factories[0].setPaused(true);
        bytes memory program = hop(pair, isZero(pair, a));
        vm.expectRevert(bytes("PAUSED"));
        swap(a, 1e18, b, program);
        assertEq(balance(a, alice), 1e40);
    }

    /// A quote of 0 cannot be reduced: the swap reverts and does not wrap around.
    function test_refusesAQuoteOfNothing() public {
        address pair = createPair(0, false, 1e27, 1e20);
        bytes memory program = hop(pair, isZero(pair, a));
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        swap(a, 1, b, program);
    }

    function test_wrongDirectionIsRefused() public {
        address pair = createPair(0, false, 1e24, 1e24);
        bytes memory program = hop(pair, !isZero(pair, a));
        vm.expectRevert();
        swap(a, 1e18, b, program);
        assertEq(balance(a, alice), 1e40);
    }

    /// An unsynced gift to the pair is not paid out, because the quote uses the reserves.
    function test_giftToThePairChangesNothing() public {
        address pair = createPair(2, true, 1e24, 1e24);
        uint256 expected = IQuotingPair(pair).getAmountOut(1e18, a);
        give(a, pair, 5e18);
        assertEq(swap(a, 1e18, b, hop(pair, isZero(pair, a))), expected);
    }

    /// The pair receives less than the amount that it quoted for, so it reverts.
    function test_feeOnTransferOnTheWayIsRefusedByThePair() public {
        address fee = address(new WeirdToken(Oddity.TakesFee));
        vm.mockCall(fee, abi.encodeWithSignature("decimals()"), abi.encode(18));
        address one = createV2(a, 1e24, fee, 1e24);
        address two = factories[0].createPair(fee, b, false);
        give(fee, two, 1e24);
        give(b, two, 1e24);
        IQuotingPair(two).mint(alice);
        bytes memory program = bytes.concat(
            Program.table(fee),
            Program.v2(0, 2, 0, one, isZero(one, a), 3000),
            Program.solidly(2, 1, 0, two, isZero(two, fee))
        );
        vm.expectRevert(bytes("K"));
        swap(a, 1e18, b, program);
    }

    function test_emptyHandedPairIsRefused() public {
        bytes memory program = hop(address(hostile), true);
        vm.expectRevert(
            abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0)
        );
        swap(a, 1e18, b, program);
    }

    /// A pair that swaps again inside its hop gets no second payment, because it was paid before the hop.
    function test_hostilePairGetsTheHopsAmountOnly() public {
        hostile.add(b, abi.encodeCall(TestToken.mint, (address(executor), 7)));
        hostile.add(a, abi.encodeWithSignature("transferFrom(address,address,uint256)", alice, bob, 1));
        assertEq(swap(a, 1e18, b, hop(address(hostile), true)), 7);
        assertEq(balance(a, address(hostile)), 1e18);
        assertEq(balance(a, bob), 0);
        assertEmpty();
    }

    function test_readsNothingFromWhatQuotesNothing() public {
        bytes memory program = hop(pairAB, isZero(pairAB, a));
        vm.expectRevert();
        swap(a, 1e18, b, program);
    }
}
