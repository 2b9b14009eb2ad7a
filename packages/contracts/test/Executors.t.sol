// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {Tokens} from "../src/libraries/Tokens.sol";
import {UniswapV3} from "../src/swaps/UniswapV3.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {Sign} from "./base/Sign.sol";
import {Answerer} from "./hostile/Executors.sol";
import {HostilePool} from "./hostile/HostilePool.sol";

/// @title Executors and payees that a call may name: nothing the router promises depends on them.
contract ExecutorsTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    /// Has approved the router for everything, and makes no calls.
    address internal victim = makeAddr("victim");
    HostilePool internal hostile;
    bytes internal ab;

    function setUp() public override {
        super.setUp();
        address[4] memory tokens = [a, b, c, whype];
        hostile = new HostilePool();
        for (uint256 i = 0; i < tokens.length; i++) {
            fund(victim, tokens[i], 1e24);
            fund(alice, tokens[i], 1e24);
            give(tokens[i], address(hostile), 1e24);
        }
        ab = hopV2(pairAB, a);
    }

    /// Alice sells A for `tokenOut` through an executor, which is paid.
    function call(address executor_, address payee, address tokenOut, bytes memory program)
        private
        returns (uint256)
    {
        IRouter.Order memory terms = order(a, AMOUNT, tokenOut, 1, bob, block.timestamp, program);
        (terms.executor, terms.payee) = (executor_, payee);
        vm.prank(alice);
        return router.swap(terms, program);
    }

    function hire(address tokenOut) private returns (uint256) {
        return call(address(hostile), address(hostile), tokenOut, "");
    }

    function payTo(address to, address token, uint256 amount) private {
        hostile.add(token, abi.encodeCall(TestToken.transfer, (to, amount)));
    }

    function assertVictimUnharmed() private view {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) assertEq(balance(tokens[i], victim), 1e24);
    }

    // Which executors and payees the router refuses.

    function test_refusesItselfAsExecutor() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ExecutorRefused.selector, address(router)));
        call(address(router), address(hostile), b, ab);
    }

    function test_refusesExecutorsWithoutCode() public {
        address[4] memory others = [address(0), address(0xdead), address(2), 0x0000000000000000000000000000000000000801];
        for (uint256 i = 0; i < others.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(Tokens.NoCode.selector, others[i]));
            call(others[i], others[i], b, ab);
        }
        assertEq(balance(a, alice), 1e24);
    }

    function test_refusesItselfAsPayee() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.PayeeRefused.selector, address(router)));
        call(address(hostile), address(router), b, ab);
    }

    function test_refusesTheExecutorAsReceiver() public {
        IRouter.Order memory terms = order(a, AMOUNT, b, 1, address(hostile), block.timestamp, "");
        (terms.executor, terms.payee) = (address(hostile), address(hostile));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRouter.ReceiverRefused.selector, address(hostile)));
        router.swap(terms, "");
    }

    /// A token, the wrapped token with its fallback, Permit2 and pools have code, and none of them performs.
    function test_refusesWhatIsNoExecutor() public {
        new DeployPermit2().run();
        address[7] memory others = [a, b, whype, Sign.PERMIT2, pairAB, poolAB, address(this)];
        for (uint256 i = 0; i < others.length; i++) {
            vm.expectRevert();
            call(others[i], others[i], b, ab);
        }
        assertEq(balance(a, alice), 1e24);
        assertEq(balance(b, bob), 0);
    }

    // What a hostile executor can say and do.

    function test_anExecutorThatPaysMayBeAnything() public {
        hostile.setAnswer(7);
        payTo(bob, b, 7);
        assertEq(hire(b), 7);
        assertEq(balance(b, bob), 7);
        assertEq(balance(a, alice), 1e24 - AMOUNT);
    }

    function testFuzz_whatItSaysItPaidIsNotEnough(uint256 said, uint256 paid) public {
        paid = bound(paid, 0, 1e18);
        hostile.setAnswer(said);
        if (paid != 0) payTo(bob, b, paid);
        uint256 least = said < paid ? said : paid;
        if (least == 0) vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        uint256 amountOut = hire(b);
        if (least != 0) assertEq(amountOut, paid);
    }

    /// The router unwraps what arrived during the call, never what the executor says, so gifts stay.
    function testFuzz_nativeOutputIsWhatArrived(uint256 said, uint256 paid) public {
        give(whype, address(router), 5e18);
        deal(address(router), 5e18);
        paid = bound(paid, 0, 1e18);
        hostile.setAnswer(said);
        if (paid != 0) payTo(address(router), whype, paid);
        else vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        hire(NATIVE);
        assertEq(bob.balance, paid);
        assertEq(balance(whype, address(router)), 5e18);
        assertEq(address(router).balance, 5e18);
    }

    /// It may use the amount that it was paid, and nothing else.
    function test_itReachesNothingButItsPayment() public {
        bytes memory again =
            abi.encodeCall(IRouter.swap, (order(a, AMOUNT, b, 1, bob, block.timestamp, ab), ab));
        address self = address(hostile);
        hostile.add(address(router), again);
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (victim, self, 1)));
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (alice, self, 1)));
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(router), self, 1)));
        hostile.add(
            address(executor), abi.encodeCall(IExecutor.execute, (a, 1, a, self, address(executor), ""))
        );
        hostile.add(address(executor), abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (1, 1, "")));
        payTo(bob, b, 1);
        give(a, address(executor), 1e18);
        give(a, address(router), 1e18);
        hire(b);
        for (uint256 i = 0; i < 6; i++) assertFalse(hostile.succeeded(i));
        assertEq(hostile.reasons(0), abi.encodeWithSelector(IRouter.Reentered.selector));
        assertEq(hostile.reasons(4), abi.encodeWithSelector(IExecutor.NotRouter.selector, self));
        assertEq(balance(a, address(executor)), 1e18);
        assertEq(balance(a, address(router)), 1e18);
        assertVictimUnharmed();
    }

    /// Short data and long reasons revert, and long data is not read.
    function testFuzz_anyAnswer(uint256 length, bool reverts) public {
        length = bound(length, 0, 100_000);
        bytes memory answer = new bytes(length);
        if (length >= 32) answer[31] = 0x07;
        address answerer = address(new Answerer(answer, reverts));
        TestToken(b).mint(bob, 1);
        if (reverts) vm.expectRevert(answer);
        else if (length < 32) vm.expectRevert(bytes(""));
        else vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        call(answerer, answerer, b, "");
        assertEq(balance(a, alice), 1e24);
    }

    /// Its code may change between two calls, and the router keeps nothing about it.
    function test_anExecutorMayChange() public {
        payTo(bob, b, 1);
        hire(b);
        vm.etch(address(hostile), hex"00");
        vm.expectRevert(bytes(""));
        hire(b);
        assertVictimUnharmed();
    }

    // The amount in goes to the payee that the call names. An honest executor takes nothing else for it.

    function test_theFirstPoolOrTheExecutorIsPaid() public {
        uint256 id = vm.snapshotState();
        uint256 direct = call(address(executor), pairAB, b, ab);
        vm.revertToState(id);
        assertEq(call(address(executor), address(executor), b, ab), direct);
        assertEmpty();
    }

    /// Every way to name another payee than a pool that gets everything leaves the gifts where they are.
    function test_noOtherPayeeSpendsAGift() public {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) give(tokens[i], address(executor), 100e18);
        bytes[9] memory programs = [
            bytes(""),
            Program.table(),
            hopV3(poolAB, a),
            bytes.concat(Program.table(), Program.v2(0, 1, Program.HALF, pairAB, true, 3000), Program.v3(0, 1, 0, poolAB, true)),
            bytes.concat(Program.table(a), Program.v2(2, 1, 0, pairAB, isZero(pairAB, a), 3000)),
            bytes.concat(Program.table(), Program.pay(0, 10_000, bob), Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000)),
            bytes.concat(Program.table(), Program.erc4626(0, 1, 0, pairAB, true)),
            bytes.concat(Program.table(), abi.encodePacked(uint16(1), uint24(0), uint8(0x7f), pairAB, uint32(0))),
            hex"ff"
        ];
        address[5] memory payees = [alice, pairAB, poolAB, address(hostile), whype];
        for (uint256 i = 0; i < programs.length; i++) {
            for (uint256 j = 0; j < payees.length; j++) {
                vm.expectRevert(abi.encodeWithSelector(IExecutor.NotFirstPool.selector, payees[j]));
                call(address(executor), payees[j], b, programs[i]);
            }
        }
        // The first pool is another one than the payee, or is the payee only for a later hop.
        address[4] memory wrong = [alice, pairBC, poolAB, address(hostile)];
        for (uint256 j = 0; j < wrong.length; j++) {
            vm.expectRevert(abi.encodeWithSelector(IExecutor.NotFirstPool.selector, wrong[j]));
            call(address(executor), wrong[j], b, ab);
        }
        // Without hops, the wrapped token goes out as the native one.
        vm.deal(alice, AMOUNT);
        IRouter.Order memory terms = order(whype, AMOUNT, NATIVE, 1, alice, block.timestamp, "");
        terms.payee = alice;
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotFirstPool.selector, alice));
        router.swap(terms, "");
        for (uint256 i = 0; i < tokens.length; i++) assertEq(balance(tokens[i], address(executor)), 100e18);
    }

    /// The payee is no part of the program, so one of the executors may not be the payee of another.
    function test_anotherExecutorIsNoPayee() public {
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotFirstPool.selector, address(hostile)));
        call(address(executor), address(hostile), b, ab);
    }

    /// Bytes after the arguments, such as a mark of who sent the order, are ignored.
    function test_bytesAfterTheArgumentsAreIgnored() public {
        bytes memory data =
            abi.encodeCall(IRouter.swap, (order(a, AMOUNT, b, 1, alice, block.timestamp, ab), ab));
        vm.prank(alice);
        (bool ok, bytes memory answer) = address(router).call(bytes.concat(data, hex"62c4e5beef"));
        assertTrue(ok);
        assertEq(abi.decode(answer, (uint256)), balance(b, alice) - 1e24);
    }
}
