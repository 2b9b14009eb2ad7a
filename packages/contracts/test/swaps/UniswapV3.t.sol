// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Callback} from "../../src/libraries/Callback.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {IV3Pool} from "../base/Amm.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Accomplice, HostilePool} from "../hostile/HostilePool.sol";

/// @title The V3 hop against real pools, and against pools that abuse the callback.
contract UniswapV3Test is Base {
    uint256 internal constant AMOUNT = 1e18;
    HostilePool internal hostile;
    bytes internal evil;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePool();
        fund(alice, a, 1e30);
        fund(alice, b, 1e30);
        evil = bytes.concat(Program.table(), Program.v3(0, 1, 0, address(hostile), true));
    }

    function callback(int256 amount0, int256 amount1) private pure returns (bytes memory) {
        return abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (amount0, amount1, ""));
    }

    function pay(uint256 amount) private {
        TestToken(b).mint(address(hostile), amount);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), amount)));
    }

    /// Pays exactly the pool's own result, to the wei, in both directions, across ticks.
    function testFuzz_paysWhatThePoolPays(uint256 amountIn, bool reverse) public {
        (address from, address to) = reverse ? (b, a) : (a, b);
        // Past the narrow position, but not to the end of the wide one.
        amountIn = bound(amountIn, 1e3, 3_000e18);
        uint256 expected = quoteV3(poolAB, from, amountIn);
        uint256 before = balance(to, alice);
        assertEq(swap(from, amountIn, to, hopV3(poolAB, from)), expected);
        assertEq(balance(to, alice) - before, expected);
        assertEmpty();
    }

    /// The price limits are the last prices that a pool accepts, so no swap stops before its input ends.
    function test_limitsAreTheEndsOfThePrices() public {
        (address x, address y) = a < b ? (a, b) : (b, a);
        uint160[2] memory limits = [uint160(4295128740), 1461446703485210103287273052203988822378723970341];
        for (uint256 i = 0; i < 2; i++) {
            (address from, address to) = i == 0 ? (x, y) : (y, x);
            vm.expectCall(
                poolAB, abi.encodeCall(IV3Pool.swap, (address(executor), i == 0, int256(AMOUNT), limits[i], ""))
            );
            swap(from, AMOUNT, to, hopV3(poolAB, from));
        }
    }

    /// A pool that runs out of liquidity takes only a part of the input: refused.
    function test_refusesAPartialFill() public {
        bytes memory program = hopV3(poolAB, a);
        vm.expectPartialRevert(Callback.InputNotTaken.selector);
        swap(a, 1e24, b, program);
        assertEq(balance(a, alice), 1e30);
    }

    function test_refusesAmountsThatWouldTurnNegative() public {
        uint256 amount = uint256(type(int256).max) + 1;
        HugeToken token = new HugeToken();
        vm.expectRevert(abi.encodeWithSelector(Callback.AmountTooLarge.selector, amount));
        swap(address(token), amount, b, evil);
    }

    function test_hostilePoolCanBeServed() public {
        hostile.add(address(executor), callback(int256(AMOUNT), 0));
        pay(7);
        assertEq(swap(a, AMOUNT, b, evil), 7);
        assertEq(balance(a, address(hostile)), AMOUNT);
    }

    function test_everyCallbackNameWorks() public {
        bytes[3] memory names = [
            abi.encodeCall(UniswapV3.hyperswapV3SwapCallback, (int256(AMOUNT), 0, "")),
            abi.encodeCall(UniswapV3.pancakeV3SwapCallback, (int256(AMOUNT), 0, "")),
            abi.encodeCall(UniswapV3.algebraSwapCallback, (int256(AMOUNT), 0, ""))
        ];
        for (uint256 i = 0; i < names.length; i++) {
            hostile.clear();
            hostile.add(address(executor), names[i]);
            pay(7);
            assertEq(swap(a, AMOUNT, b, evil), 7);
        }
    }

    function test_refusesNoCallback() public {
        pay(1e24);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, evil);
    }

    /// A callback refused inside the pool leaves the hop unpaid, so the hop is refused as well.
    function testFuzz_refusesAnyOtherAmount(int256 owed, int256 other) public {
        vm.assume(owed != int256(AMOUNT));
        hostile.add(address(executor), callback(owed, other));
        pay(1e24);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, evil);
    }

    /// A callback for the right amount, but of the token that the pool should pay out.
    function test_refusesTheOtherToken() public {
        hostile.add(address(executor), callback(0, int256(AMOUNT)));
        pay(1e24);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, evil);
        assertEq(balance(a, address(hostile)), 0);
        hostile.clear();
        hostile.add(address(executor), callback(int256(AMOUNT), 0));
        evil = bytes.concat(Program.table(), Program.v3(0, 1, 0, address(hostile), false));
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, evil);
    }

    function test_paysOnce() public {
        TestToken(a).mint(address(executor), AMOUNT);
        hostile.add(address(executor), callback(int256(AMOUNT), 0));
        hostile.add(address(executor), callback(int256(AMOUNT), 0));
        pay(7);
        swap(a, AMOUNT, b, evil);
        assertTrue(hostile.succeeded(0));
        assertFalse(hostile.succeeded(1));
        assertEq(
            hostile.reasons(1),
            abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile))
        );
        assertEq(balance(a, address(executor)), AMOUNT);
    }

    function test_paysThePoolAlone() public {
        Accomplice accomplice = new Accomplice();
        hostile.add(
            address(accomplice),
            abi.encodeCall(Accomplice.forward, (address(executor), callback(int256(AMOUNT), 0)))
        );
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, evil);
    }

    /// A real pool that a hostile pool calls makes its callback to the hostile pool, not to the executor.
    function test_realPoolInsideAHostileOne() public {
        hostile.add(
            poolAB,
            abi.encodeWithSignature(
                "swap(address,bool,int256,uint160,bytes)", address(executor), true, int256(1e18), 4295128740, ""
            )
        );
        hostile.add(address(executor), callback(int256(AMOUNT), 0));
        pay(7);
        swap(a, AMOUNT, b, evil);
        assertFalse(hostile.succeeded(0));
        assertEmpty();
    }

    function testFuzz_refusesCallbacksOutsideASwap(address caller, int256 x, int256 y) public {
        vm.startPrank(caller);
        bytes memory reason = abi.encodeWithSelector(Callback.CallbackRefused.selector, caller);
        // Outside a swap no pool is expected, and address 0 cannot call.
        vm.assume(caller != address(0));
        vm.expectRevert(reason);
        executor.uniswapV3SwapCallback(x, y, "");
        vm.expectRevert(reason);
        executor.hyperswapV3SwapCallback(x, y, "");
        vm.expectRevert(reason);
        executor.pancakeV3SwapCallback(x, y, "");
        vm.expectRevert(reason);
        executor.algebraSwapCallback(x, y, "");
    }

    /// After a V3 hop has ended, callbacks of its pool are refused, also within the same call.
    function test_callbackInALaterHopIsRefused() public {
        uint256 first = AMOUNT * 0x7FFFFF / 0xFFFFFF;
        hostile.add(address(executor), callback(int256(first), 0));
        pay(7);
        HostilePool second = new HostilePool();
        TestToken(b).mint(address(second), 1);
        second.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 1)));
        second.add(
            address(hostile),
            abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", 0, 0, address(0), "")
        );
        swap(
            a,
            AMOUNT,
            b,
            bytes.concat(
                Program.table(),
                Program.v3(0, 1, 0x7FFFFF, address(hostile), true),
                Program.v2(0, 1, 0, address(second), true, 0)
            )
        );
        assertEq(hostile.played(), 4);
        assertTrue(hostile.succeeded(0));
        assertFalse(hostile.succeeded(2));
        assertEq(balance(a, address(hostile)), first);
    }

    function test_wrongDirectionIsRefused() public {
        bool wrong = !isZero(poolAB, a);
        bytes memory program = bytes.concat(Program.table(), Program.v3(0, 1, 0, poolAB, wrong));
        // The pool demands B and pays A, but the hop offers A.
        vm.expectRevert(bytes("IIA"));
        swap(a, AMOUNT, b, program);
    }

    function test_underpaidFloorIsRefused() public {
        hostile.add(address(executor), callback(int256(AMOUNT), 0));
        pay(7);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 8, 7));
        router.swap(order(a, AMOUNT, b, 8, alice, block.timestamp, evil), evil);
    }
}

/// @dev A token in which every transfer succeeds, so any amount can reach the executor.
contract HugeToken {
    mapping(address owner => uint256 amount) public balanceOf;

    function transferFrom(address, address to, uint256 amount) external returns (bool) {
        balanceOf[to] += amount;
        return true;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return true;
    }
}
