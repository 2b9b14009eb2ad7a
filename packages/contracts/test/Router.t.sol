// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../src/interfaces/IRouter.sol";
import {Tokens} from "../src/libraries/Tokens.sol";
import {Router} from "../src/Router.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {Forwarder, Refuser} from "./hostile/Receivers.sol";
import {Oddity, WeirdToken} from "./hostile/WeirdToken.sol";

/// @title The router: the orders that it accepts, its errors for all others, and its payments.
contract RouterTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    // Computed before each test, because `expectRevert` applies to the next call of any kind.
    bytes internal ab;
    bytes internal aw;
    bytes internal wa;

    function setUp() public override {
        super.setUp();
        fund(alice, a, 100e18);
        fund(alice, whype, 100e18);
        fund(alice, NATIVE, 100e18);
        ab = hopV2(pairAB, a);
        aw = hopV2(pairAW, a);
        wa = hopV2(pairAW, whype);
    }

    function call(
        address tokenIn,
        uint256 value,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes memory program
    ) private returns (uint256) {
        vm.prank(alice);
        return router.swap{value: value}(order(tokenIn, AMOUNT, tokenOut, minAmountOut, receiver, deadline, program), program);
    }

    function test_knowsItsParts() public view {
        assertEq(router.wrappedNative(), whype);
        assertEq(executor.router(), address(router));
    }

    function test_wrappedTokenMustExist() public {
        vm.expectRevert(abi.encodeWithSelector(Tokens.NoCode.selector, address(0xdead)));
        new Router(address(0xdead));
    }

    function test_tokenToToken() public {
        uint256 expected = quoteV2(pairAB, a, AMOUNT);
        vm.expectEmit(address(router));
        emit IRouter.Swap(alice, alice, a, b, AMOUNT, expected);
        assertEq(call(a, 0, b, expected, address(0), block.timestamp, ab), expected);
        assertEq(balance(b, alice), expected);
        assertEq(balance(a, alice), 99e18);
        assertEmpty();
    }

    function test_receiverIsPaid() public {
        uint256 expected = quoteV2(pairAB, a, AMOUNT);
        vm.expectEmit(address(router));
        emit IRouter.Swap(alice, bob, a, b, AMOUNT, expected);
        assertEq(call(a, 0, b, 1, bob, block.timestamp, ab), expected);
        assertEq(balance(b, bob), expected);
        assertEq(balance(b, alice), 0);
    }

    function test_nativeIn() public {
        uint256 expected = quoteV2(pairAW, whype, AMOUNT);
        assertEq(call(NATIVE, AMOUNT, a, expected, bob, block.timestamp, wa), expected);
        assertEq(balance(a, bob), expected);
        assertEq(alice.balance, 99e18);
        assertEq(balance(whype, alice), 100e18);
        assertEmpty();
    }

    function test_nativeOut() public {
        uint256 expected = quoteV2(pairAW, a, AMOUNT);
        assertEq(call(a, 0, NATIVE, expected, bob, block.timestamp, aw), expected);
        assertEq(bob.balance, expected);
        assertEq(balance(whype, bob), 0);
        assertEmpty();
    }

    function test_wrap() public {
        assertEq(call(NATIVE, AMOUNT, whype, AMOUNT, bob, block.timestamp, ""), AMOUNT);
        assertEq(balance(whype, bob), AMOUNT);
        assertEq(call(NATIVE, AMOUNT, whype, AMOUNT, bob, block.timestamp, Program.table()), AMOUNT);
        assertEmpty();
    }

    function test_unwrap() public {
        assertEq(call(whype, 0, NATIVE, AMOUNT, bob, block.timestamp, ""), AMOUNT);
        assertEq(bob.balance, AMOUNT);
        assertEmpty();
    }

    function test_roundTripFromNativeToWrapped() public {
        uint256 half = quoteV2(pairAW, whype, AMOUNT);
        bytes memory program = bytes.concat(
            Program.table(a),
            Program.v2(0, 2, 0, pairAW, isZero(pairAW, whype), 3000),
            Program.v2(2, 1, 0, pairAW, isZero(pairAW, a), 3000)
        );
        uint256 amountOut = call(NATIVE, AMOUNT, whype, 1, bob, block.timestamp, program);
        assertEq(balance(whype, bob), amountOut);
        assertLt(amountOut, AMOUNT);
        assertGt(half, 0);
        assertEmpty();
    }

    function test_deadlineIsTheLastGoodSecond() public {
        call(a, 0, b, 1, bob, block.timestamp, ab);
        vm.expectRevert(
            abi.encodeWithSelector(
                IRouter.DeadlinePassed.selector, block.timestamp - 1, block.timestamp
            )
        );
        call(a, 0, b, 1, bob, block.timestamp - 1, ab);
    }

    function test_refusesAmountZero() public {
        vm.expectRevert(IRouter.AmountInZero.selector);
        router.swap(order(a, 0, b, 1, bob, block.timestamp, ab), ab);
    }

    function test_refusesFloorZero() public {
        vm.expectRevert(IRouter.MinAmountOutZero.selector);
        call(a, 0, b, 0, bob, block.timestamp, ab);
    }

    function test_refusesSameToken() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.SameToken.selector, a));
        call(a, 0, a, 1, bob, block.timestamp, "");
        vm.expectRevert(abi.encodeWithSelector(IRouter.SameToken.selector, NATIVE));
        call(NATIVE, AMOUNT, NATIVE, 1, bob, block.timestamp, "");
    }

    function test_refusesItselfAsReceiver() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ReceiverRefused.selector, address(router)));
        call(a, 0, b, 1, address(router), block.timestamp, ab);
        vm.expectRevert(abi.encodeWithSelector(IRouter.ReceiverRefused.selector, address(executor)));
        call(a, 0, b, 1, address(executor), block.timestamp, ab);
    }

    function test_refusesAFloorNotReached() public {
        uint256 expected = quoteV2(pairAB, a, AMOUNT);
        vm.expectRevert(
            abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, expected + 1, expected)
        );
        call(a, 0, b, expected + 1, bob, block.timestamp, ab);
        assertEq(balance(a, alice), 100e18);
    }

    function test_refusesTokensWithoutCode() public {
        address nothing = address(0xdead);
        vm.expectRevert(abi.encodeWithSelector(Tokens.NoCode.selector, nothing));
        call(nothing, 0, b, 1, bob, block.timestamp, ab);
        vm.expectRevert(abi.encodeWithSelector(Tokens.NoCode.selector, nothing));
        call(a, 0, nothing, 1, bob, block.timestamp, ab);
    }

    function test_refusesWhatIsNotApproved() public {
        vm.prank(alice);
        TestToken(a).approve(address(router), AMOUNT - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                Tokens.TransferFailed.selector, a, alice, pairAB, AMOUNT
            )
        );
        call(a, 0, b, 1, bob, block.timestamp, ab);
    }

    function test_refusesWhatIsNotOwned() public {
        vm.prank(alice);
        TestToken(a).transfer(bob, 100e18 - AMOUNT + 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                Tokens.TransferFailed.selector, a, alice, pairAB, AMOUNT
            )
        );
        call(a, 0, b, 1, bob, block.timestamp, ab);
    }

    /// The router measures a payment to the executor; a pair measures its own payment.
    function test_refusesFeeOnTransferIn() public {
        address fee = address(new WeirdToken(Oddity.TakesFee));
        fund(alice, fee, 100e18);
        address pair = createV2(fee, 1_000e18, b, 1_000e18);
        (bytes memory byExecutor, bytes memory byPair) = (hopV3(poolAB, a), hopV2(pair, fee));
        vm.startPrank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                IRouter.WrongAmountPulled.selector, fee, AMOUNT, AMOUNT * 99 / 100
            )
        );
        router.swap(order(fee, AMOUNT, b, 1, bob, block.timestamp, byExecutor), byExecutor);
        vm.expectRevert("UniswapV2: K");
        router.swap(order(fee, AMOUNT, b, 1, bob, block.timestamp, byPair), byPair);
    }

    function test_refusesAReceiverThatRefuses() public {
        address refuser = address(new Refuser());
        uint256 expected = quoteV2(pairAW, a, AMOUNT);
        vm.expectRevert(
            abi.encodeWithSelector(IRouter.NativeTransferFailed.selector, refuser, expected)
        );
        call(a, 0, NATIVE, 1, refuser, block.timestamp, aw);
    }

    /// The floor is measured at the receiver, so an amount that it forwards at once does not count.
    function test_refusesAReceiverThatForwards() public {
        address forwarder = address(new Forwarder(bob));
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        call(a, 0, NATIVE, 1, forwarder, block.timestamp, aw);
    }

    /// A receiver that ends with less than it had gets the same error.
    function test_refusesAReceiverThatForwardsMore() public {
        address forwarder = address(new Forwarder(bob));
        deal(forwarder, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        call(a, 0, NATIVE, 1, forwarder, block.timestamp, aw);
    }

    /// The wrapped token would wrap the native tokens that it receives, and credit them to the router.
    function test_refusesTheWrappedTokenAsNativeReceiver() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        call(a, 0, NATIVE, 1, whype, block.timestamp, aw);
    }

    function test_refusesNativeFromStrangers() public {
        vm.prank(alice);
        (bool ok, bytes memory reason) = address(router).call{value: 1}("");
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(IRouter.NativeRefused.selector, alice));
        (ok,) = address(executor).call{value: 1}("");
        assertFalse(ok);
    }

    function testFuzz_valueMustMatch(uint256 value, bool native) public {
        value = bound(value, 0, 100e18);
        uint256 wanted = native ? AMOUNT : 0;
        address tokenIn = native ? NATIVE : a;
        bytes memory program = native ? wa : ab;
        if (value != wanted) {
            vm.expectRevert(abi.encodeWithSelector(IRouter.WrongValue.selector, wanted, value));
        }
        call(tokenIn, value, native ? a : b, 1, bob, block.timestamp, program);
    }

    /// The wrapped token is paid by the pull, so native tokens beside it would stay in the router.
    function test_refusesNativeBesideTheWrappedToken() public {
        for (uint256 value = 1; value <= AMOUNT; value += AMOUNT - 1) {
            vm.expectRevert(abi.encodeWithSelector(IRouter.WrongValue.selector, 0, value));
            call(whype, value, a, 1, bob, block.timestamp, wa);
        }
    }

    function testFuzz_paysExactlyTheQuote(uint256 amountIn, bool v3) public {
        amountIn = bound(amountIn, 1e4, 90e18);
        uint256 expected = v3 ? quoteV3(poolAB, a, amountIn) : quoteV2(pairAB, a, amountIn);
        assertEq(swap(a, amountIn, b, v3 ? hopV3(poolAB, a) : hopV2(pairAB, a)), expected);
        assertEq(balance(b, alice), expected);
        assertEq(balance(a, alice), 100e18 - amountIn);
        assertEmpty();
    }
}
