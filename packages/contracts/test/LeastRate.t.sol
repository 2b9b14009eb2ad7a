// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {stdError} from "forge-std/StdError.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {LeastRate} from "../src/libraries/LeastRate.sol";
import {PoolKey} from "../src/swaps/UniswapV4.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {HostilePool} from "./hostile/HostilePool.sol";

/// @title Hops with a least rate: they revert below it, at any amount, however they are paid.
contract LeastRateTest is Base {
    function setUp() public override {
        super.setUp();
        fund(alice, a, 1e30);
    }

    /// The amount scales with a decimal float.
    function test_isADecimalFloat() public view {
        assertEq(this.leastOut(pack(3, 0), 7), 21);
        assertEq(this.leastOut(pack(3, 2), 7), 2_100);
        assertEq(this.leastOut(pack(15, -1), 7), 10, "rounded down");
        assertEq(this.leastOut(pack(type(uint56).max, -77), 1 << 199), 0);
        assertEq(this.leastOut(pack(1, 77), 1), 1e77);
        assertEq(this.leastOut(0, type(uint256).max), 0);
    }

    /// Past 256 bits every hop is refused.
    function test_overflowIsRefused() public {
        vm.expectRevert(stdError.arithmeticError);
        this.leastOut(pack(1, 78), 1);
        vm.expectRevert(stdError.arithmeticError);
        this.leastOut(pack(1, -78), 1);
        vm.expectRevert(stdError.arithmeticError);
        this.leastOut(pack(1, type(int8).min), 1);
        vm.expectRevert(stdError.arithmeticError);
        this.leastOut(pack(2, 0), 1 << 255);
        vm.expectRevert(stdError.arithmeticError);
        this.leastOut(pack(1, 77), 2);
    }

    /// A hop passes at its rate and reverts a unit of the mantissa above it.
    function testFuzz_revertsBelowItsRate(uint256 amountIn, uint56 mantissa, bool v3) public {
        amountIn = bound(amountIn, 1e6, 1e24);
        bytes memory hop = v3
            ? Program.v3(0, 1, 0, poolAB, isZero(poolAB, a))
            : Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000);
        address pool = v3 ? poolAB : pairAB;
        uint256 paid = trySwap(amountIn, b, bytes.concat(Program.table(), hop), "");
        if (paid == 0) return;
        uint256 least = amountIn * mantissa / 1e16;
        bytes memory reason = paid < least
            ? abi.encodeWithSelector(IExecutor.RateTooLow.selector, pool, amountIn, paid, least)
            : bytes("");
        bytes memory program = bytes.concat(Program.table(), Program.rated(hop, mantissa, -16));
        assertEq(trySwap(amountIn, b, program, reason), paid < least ? 0 : paid);
    }

    /// From pair to pair the output is measured, where otherwise the request counts; the rate is that of what came.
    function test_holdsFromPairToPair() public {
        bytes memory first = Program.v2(0, 2, 0, pairAB, isZero(pairAB, a), 3000);
        bytes memory second = Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000);
        uint256 middle = trySwap(1e18, b, bytes.concat(Program.table(), Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000)), "");
        uint256 paid = trySwap(1e18, c, bytes.concat(Program.table(b), first, second), "");
        bytes memory exact = Program.rated(first, uint56(middle / 100), -16);
        bytes memory above = Program.rated(first, uint56(middle / 100 + 1), -16);
        assertEq(trySwap(1e18, c, bytes.concat(Program.table(b), exact, second), ""), paid);
        uint256 least = (middle / 100 + 1) * 100;
        bytes memory reason = abi.encodeWithSelector(IExecutor.RateTooLow.selector, pairAB, 1e18, middle, least);
        assertEq(trySwap(1e18, c, bytes.concat(Program.table(b), above, second), reason), 0);
        // The second is paid directly although it has a rate itself.
        assertEq(trySwap(1e18, c, bytes.concat(Program.table(b), first, Program.rated(second, 1, -3)), ""), paid);
    }

    /// A pool that pays less than its rate takes at most its own share's slippage, not that of the order.
    function test_boundsOneHopOfASplit() public {
        HostilePool hostile = new HostilePool();
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), 1e16 * uint256(0x800000) / 0xFFFFFF)));
        hostile.add(b, abi.encodeCall(TestToken.mint, (address(executor), 1)));
        bytes memory small = Program.curve(0, 1, Program.HALF, address(hostile), 0, 1);
        bytes memory rest = Program.v3(0, 1, 0, poolAB, isZero(poolAB, a));
        uint256 sold = 1e16 * uint256(0x800000) / 0xFFFFFF;
        assertGt(trySwap(1e16, b, bytes.concat(Program.table(), small, rest), ""), 0);
        bytes memory reason =
            abi.encodeWithSelector(IExecutor.RateTooLow.selector, address(hostile), sold, 1, sold * 995 / 1000);
        bytes memory program = bytes.concat(Program.table(), Program.rated(small, 995, -3), rest);
        assertEq(trySwap(1e16, b, program, reason), 0);
        // A wei more than it paid is missing, and then nothing.
        hostile.add(b, abi.encodeCall(TestToken.mint, (address(executor), sold * 995 / 1000 - 2)));
        assertEq(trySwap(1e16, b, program, ""), 0);
        hostile.add(b, abi.encodeCall(TestToken.mint, (address(executor), 1)));
        assertGt(trySwap(1e16, b, program, ""), 0);
    }

    /// The rest of a V4 hop stands before its rate.
    function test_readsTheRestOfAManagersHop() public {
        deployManager();
        createV4(keyOf(a, b, 3000, address(0)), 10_000e18);
        bytes memory hop = Program.uniswapV4(0, 1, 0, address(manager), a < b ? 1 : 0, 3000, 60, address(0));
        uint256 paid = trySwap(1e18, b, bytes.concat(Program.table(), hop), "");
        assertEq(trySwap(1e18, b, bytes.concat(Program.table(), Program.rated(hop, 9, -1)), ""), paid);
        bytes memory reason = abi.encodeWithSelector(IExecutor.RateTooLow.selector, address(manager), 1e18, paid, 2e18);
        assertEq(trySwap(1e18, b, bytes.concat(Program.table(), Program.rated(hop, 2, 0)), reason), 0);
    }

    /// A payment and an unknown opcode have none; a program that ends within the rate is cut short.
    function test_refusesOtherBytes() public {
        bytes memory hop = Program.v3(0, 1, 0, poolAB, isZero(poolAB, a));
        bytes memory paying = Program.rated(Program.pay(0, 100, bob), 1, 0);
        bytes memory reason = abi.encodeWithSelector(IExecutor.UnknownOpcode.selector, 0xa0);
        assertEq(trySwap(1e18, b, bytes.concat(Program.table(), paying, hop), reason), 0);
        bytes memory unknown = Program.rated(hop, 1, 0);
        unknown[5] = 0x9f;
        reason = abi.encodeWithSelector(IExecutor.UnknownOpcode.selector, 0x9f);
        assertEq(trySwap(1e18, b, bytes.concat(Program.table(), unknown), reason), 0);
        bytes memory program = bytes.concat(Program.table(), Program.rated(hop, 1, 0));
        assembly { mstore(program, sub(mload(program), 1)) }
        reason = abi.encodeWithSelector(IExecutor.ProgramTruncated.selector, 1, 35, 35);
        assertEq(trySwap(1e18, b, program, reason), 0);
    }

    function leastOut(uint256 rate, uint256 amountIn) external pure returns (uint256) {
        return LeastRate.leastOut(rate, amountIn);
    }

    function pack(uint56 mantissa, int8 exponent) private pure returns (uint256) {
        return uint256(mantissa) << 8 | uint8(exponent);
    }

    /// What alice gets, without a trace; 0 if it reverts, with `reason` if one is given.
    function trySwap(uint256 amountIn, address tokenOut, bytes memory program, bytes memory reason)
        private
        returns (uint256 paid)
    {
        uint256 id = vm.snapshotState();
        vm.prank(alice);
        (bool ok, bytes memory answer) = address(router).call(
            abi.encodeCall(router.swap, (order(a, amountIn, tokenOut, 1, address(0), block.timestamp, program), program))
        );
        if (ok) paid = abi.decode(answer, (uint256));
        else if (reason.length != 0) assertEq(answer, reason);
        vm.revertToState(id);
    }
}
