// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {Tokens} from "../src/libraries/Tokens.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";

/// @title The payment of a part of what is held, such as an integrator's fee.
contract PayTest is Base {
    uint256 internal constant AMOUNT = 10e18;
    address internal payee = makeAddr("integrator");
    bytes internal hops;

    function setUp() public override {
        super.setUp();
        fund(alice, a, 1_000e18);
        fund(alice, NATIVE, 1_000e18);
        hops = bytes.concat(
            Program.v2(0, 2, 0, pairAB, isZero(pairAB, a), 3000), Program.v3(2, 1, 0, poolBC, isZero(poolBC, b))
        );
    }

    function quote(uint256 amountIn) private returns (uint256) {
        return quoteV3(poolBC, b, quoteV2(pairAB, a, amountIn));
    }

    /// A fee on the token in: the rest is swapped. The pair is not paid directly, because the executor
    /// must hold the amount first.
    function testFuzz_ofTheTokenIn(uint256 amountIn, uint24 ppm) public {
        (amountIn, ppm) = (bound(amountIn, 1e6, 100e18), uint24(bound(ppm, 0, 10_000)));
        uint256 fee = amountIn * ppm / 1e6;
        uint256 expected = quote(amountIn - fee);
        uint256 amountOut = swap(a, amountIn, c, bytes.concat(Program.table(b), Program.pay(0, ppm, payee), hops));
        assertEq(amountOut, expected);
        assertEq(balance(a, payee), fee);
        assertEq(balance(c, alice), amountOut);
        assertEmpty();
    }

    /// A fee on the token out: the receiver gets the rest, and the call returns it.
    function testFuzz_ofTheTokenOut(uint256 amountIn, uint24 ppm) public {
        (amountIn, ppm) = (bound(amountIn, 1e6, 100e18), uint24(bound(ppm, 0, 10_000)));
        uint256 gross = quote(amountIn);
        uint256 amountOut = swap(a, amountIn, c, bytes.concat(Program.table(b), hops, Program.pay(1, ppm, payee)));
        assertEq(amountOut, gross - gross * ppm / 1e6);
        assertEq(balance(c, payee), gross * ppm / 1e6);
        assertEq(balance(c, alice), amountOut);
        assertEmpty();
    }

    function test_ofAnIntermediateToken() public {
        uint256 middle = quoteV2(pairAB, a, AMOUNT);
        uint256 expected = quoteV3(poolBC, b, middle - middle / 100);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, 0, pairAB, isZero(pairAB, a), 3000),
            Program.pay(2, 10_000, payee),
            Program.v3(2, 1, 0, poolBC, isZero(poolBC, b))
        );
        assertEq(swap(a, AMOUNT, c, program), expected);
        assertEq(balance(b, payee), middle / 100);
        assertEmpty();
    }

    /// The pair after a payment sells all that is held of the token, so only the pool may not pay it directly.
    function test_aPairAfterAPaymentIsPaidTheRest() public {
        uint256 middle = quoteV3(poolAB, a, AMOUNT);
        uint256 expected = quoteV2(pairBC, b, middle - middle / 200);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v3(0, 2, 0, poolAB, isZero(poolAB, a)),
            Program.pay(2, 5_000, payee),
            Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000)
        );
        assertEq(swap(a, AMOUNT, c, program), expected);
        assertEq(balance(b, payee), middle / 200);
        assertEmpty();
    }

    /// Native ends are paid in the wrapped token.
    function test_ofNativeEnds() public {
        uint256 rest = AMOUNT - AMOUNT / 1000;
        uint256 expected = quoteV2(pairAW, whype, rest);
        bytes memory sale = bytes.concat(
            Program.table(), Program.pay(0, 1_000, payee), Program.v2(0, 1, 0, pairAW, isZero(pairAW, whype), 3000)
        );
        assertEq(swap(NATIVE, AMOUNT, a, sale), expected);
        assertEq(balance(whype, payee), AMOUNT / 1000);
        expected = quoteV2(pairAW, a, AMOUNT);
        bytes memory purchase = bytes.concat(
            Program.table(), Program.v2(0, 1, 0, pairAW, isZero(pairAW, a), 3000), Program.pay(1, 1_000, payee)
        );
        uint256 before = alice.balance;
        assertEq(swap(a, AMOUNT, NATIVE, purchase), expected - expected / 1000);
        assertEq(alice.balance - before, expected - expected / 1000);
        assertEq(balance(whype, payee), AMOUNT / 1000 + expected / 1000);
        assertEmpty();
    }

    /// The floor is what the receiver gets after the payment, to the wei.
    function test_theFloorIsAfterThePayment() public {
        uint256 gross = quote(AMOUNT);
        uint256 net = gross - gross / 100;
        bytes memory program = bytes.concat(Program.table(b), hops, Program.pay(1, 10_000, payee));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, net + 1, net));
        router.swap(order(a, AMOUNT, c, net + 1, address(0), block.timestamp, program), program);
        vm.prank(alice);
        assertEq(router.swap(order(a, AMOUNT, c, net, address(0), block.timestamp, program), program), net);
    }

    /// A payment to the receiver does not count for the floor, because it is not what the call delivers.
    function test_aPaymentToTheReceiverIsNotOutput() public {
        uint256 gross = quote(AMOUNT);
        uint256 net = gross - gross / 100;
        bytes memory program = bytes.concat(Program.table(b), hops, Program.pay(1, 10_000, alice));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, gross, net));
        router.swap(order(a, AMOUNT, c, gross, address(0), block.timestamp, program), program);
    }

    /// Gifts to the executor are not held by the call, so no payment moves them.
    function test_doesNotMoveGifts() public {
        address[3] memory tokens = [a, b, c];
        for (uint256 i = 0; i < 3; i++) give(tokens[i], address(executor), 1e24);
        uint256 gross = quote(AMOUNT);
        bytes memory program = bytes.concat(Program.table(b), Program.pay(1, 10_000, payee), Program.pay(2, 10_000, payee));
        program = bytes.concat(program, hops, Program.pay(2, 10_000, payee), Program.pay(0, 10_000, payee));
        assertEq(swap(a, AMOUNT, c, program), gross);
        for (uint256 i = 0; i < 3; i++) {
            assertEq(balance(tokens[i], payee), 0);
            assertEq(balance(tokens[i], address(executor)), 1e24);
        }
    }

    /// Each payment is a part of what the ones before it left: 200 take 86.6 %.
    function test_manyPaymentsShareTheRest() public {
        uint256 left = quote(AMOUNT);
        bytes memory program = bytes.concat(Program.table(b), hops);
        for (uint256 i = 0; i < 200; i++) {
            program = bytes.concat(program, Program.pay(1, 10_000, payee));
        }
        uint256 gross = left;
        for (uint256 i = 0; i < 200; i++) left -= left / 100;
        assertEq(swap(a, AMOUNT, c, program), left);
        assertEq(balance(c, payee), gross - left);
        assertEq((gross - left) * 1000 / gross, 866);
        assertEmpty();
    }

    function refuse(bytes memory payment, bytes memory reason) private {
        vm.expectRevert(reason);
        swap(a, AMOUNT, c, bytes.concat(Program.table(b), payment, hops));
    }

    function test_refusesMoreThanOnePercent() public {
        refuse(Program.pay(0, 10_001, payee), abi.encodeWithSelector(IExecutor.PaymentTooHigh.selector, 10_001));
        refuse(Program.pay(0, type(uint24).max, payee), abi.encodeWithSelector(IExecutor.PaymentTooHigh.selector, type(uint24).max));
    }

    /// Where nobody could spend it.
    function test_refusesTheRouterAndTheExecutor() public {
        address[2] memory ours = [address(router), address(executor)];
        for (uint256 i = 0; i < 2; i++) {
            refuse(Program.pay(0, 1, ours[i]), abi.encodeWithSelector(IExecutor.PaymentRefused.selector, ours[i]));
        }
    }

    /// Only the token decides on any other recipient.
    function test_paysAnyRecipientOfTheToken() public {
        address[3] memory others = [address(0), b, pairAW];
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < 3; i++) {
            uint256 had = balance(a, others[i]);
            swap(a, AMOUNT, c, bytes.concat(Program.table(b), Program.pay(0, 10_000, others[i]), hops));
            assertEq(balance(a, others[i]) - had, AMOUNT / 100);
            vm.revertToState(id);
        }
    }

    function test_refusesTwoTokens() public {
        bytes memory payment = abi.encodePacked(uint8(0), uint8(1), uint24(1), uint8(32), payee);
        refuse(payment, abi.encodeWithSelector(IExecutor.PaymentTokens.selector, 0, 1));
    }

    function test_refusesATokenOutsideTheTable() public {
        refuse(Program.pay(3, 1, payee), abi.encodeWithSelector(IExecutor.BadTokenIndex.selector, 3, 3));
    }

    function test_refusesAPaymentCutByOneByte() public {
        bytes memory program = bytes.concat(Program.table(b), hops, Program.pay(1, 1, payee));
        uint256 at = program.length - 26;
        assembly { mstore(program, sub(mload(program), 1)) }
        vm.expectRevert(abi.encodeWithSelector(IExecutor.ProgramTruncated.selector, at, 26, program.length));
        swap(a, AMOUNT, c, program);
    }

    /// A payment is no hop: a program of payments alone delivers nothing.
    function test_refusesAProgramOfPaymentsAlone() public {
        vm.expectRevert(abi.encodeWithSelector(IExecutor.Leftover.selector, a, AMOUNT - AMOUNT / 100));
        swap(a, AMOUNT, c, bytes.concat(Program.table(), Program.pay(0, 10_000, payee)));
    }

    /// A token that refuses the transfer refuses the swap.
    function test_refusedByTheToken() public {
        bytes memory reason = abi.encodeWithSelector(Tokens.TransferFailed.selector, c, address(executor), payee, quote(AMOUNT) / 100);
        vm.mockCallRevert(c, abi.encodeWithSelector(TestToken.transfer.selector, payee), "");
        vm.expectRevert(reason);
        swap(a, AMOUNT, c, bytes.concat(Program.table(b), hops, Program.pay(1, 10_000, payee)));
    }
}
